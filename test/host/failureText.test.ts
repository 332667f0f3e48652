import assert from 'node:assert/strict';
import type { Failure } from '../../src/chat/failure';
import { problemOf, sentenceOf, uploadProblemOf } from '../../src/host/failureText';

describe('The sentences above the codes', () => {
  it('offers to set a key where the key is the problem', () => {
    for (const code of ['keyMissing', 'unauthorized', 'forbidden'] as const) {
      assert.deepEqual(problemOf({ code, maySend: true }, true).actions, ['retry', 'setApiKey']);
    }
  });

  it('warns that a message may have been sent, only where it may', () => {
    const text = (failure: Failure) => problemOf(failure, true).text;
    assert.match(text({ code: 'unreachable', reason: 'reset', maySend: false }), /may have been sent/);
    assert.doesNotMatch(
      text({ code: 'unreachable', reason: 'refused', maySend: true }),
      /may have been sent/,
    );
  });

  it('hands on the service’s message, the field errors and the time to wait', () => {
    const problem = problemOf(
      {
        code: 'validation',
        maySend: true,
        serviceMessage: 'No.',
        fieldErrors: { bot_id: ['unknown'] },
        retryAt: 5,
      },
      false,
    );
    assert.equal(problem.detail, 'No.');
    assert.deepEqual(problem.fields, [{ name: 'bot_id', messages: ['unknown'] }]);
    assert.equal(problem.retryAt, 5);
    assert.ok(!problem.actions.includes('retry'));
  });

  it('names the step of an upload', () => {
    const at = (step: 'signing' | 'uploading' | 'registering') =>
      uploadProblemOf({ code: 'service', status: 500, maySend: true }, step).text;
    assert.match(at('signing'), /upload URL/);
    assert.match(at('uploading'), /upload of the file/);
    assert.match(at('registering'), /not added to the conversation/);
  });

  it('makes one line for a notification', () => {
    const line = sentenceOf({
      code: 'validation',
      maySend: true,
      serviceMessage: 'Sorry.',
      fieldErrors: { name: ['too long', 'too odd'] },
    });
    assert.match(line, /Sorry\. name: too long name: too odd$/);
  });
});
