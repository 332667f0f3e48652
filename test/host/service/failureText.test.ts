import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Failure } from '../../../src/chat/model/failure';
import { formatFailure, toProblem, toUploadProblem } from '../../../src/host/service/failureText';
import type { ProblemAction } from '../../../src/shared/view/viewModel';

const HOST = 'bots.example';
const MAYBE_SENT = 'The message may have been sent.';

type Rest = Omit<Failure, 'code' | 'maySend'>;

/** The text for each code, in this test only: others use `getFailureText`. */
const SENTENCES: readonly (readonly [Failure['code'], Rest, sentence: string, ...ProblemAction[]])[] = [
  ['keyMissing', {}, 'There is no API key for this service.', 'setApiKey'],
  ['unauthorized', {}, 'The service rejected the API key.', 'setApiKey'],
  ['forbidden', {}, 'The service doesn’t allow this with your API key.', 'setApiKey'],
  ['quotaReached', {}, 'You’ve reached your plan’s message limit. Your text is kept.'],
  ['validation', {}, 'The service didn’t accept the request.'],
  ['validation', { fieldErrors: { bot_id: [] } }, 'The service didn’t accept the request.', 'changeBot'],
  [
    'validation',
    { fieldErrors: { document_ids: [] } },
    'The service didn’t accept the request. Check that the bot can access the folders that contain the documents.',
  ],
  ['validation', { reason: 'folder' }, 'The service needs a folder for the file. Retry to choose one.'],
  ['notFound', {}, 'The service couldn’t find this conversation, bot, or URL.', 'setBaseUrl'],
  ['rateLimited', {}, 'The service asked Parley to wait before sending another request.'],
  ['tooLarge', {}, 'The request is larger than the service allows.'],
  ['unreachable', {}, `Can’t reach ${HOST}. Check your connection.`, 'setBaseUrl'],
  [
    'unreachable',
    { reason: 'dns' },
    `Can’t reach ${HOST}. The host name couldn’t be found. Check the service URL and your connection.`,
    'setBaseUrl',
  ],
  [
    'unreachable',
    { reason: 'refused' },
    `Can’t reach ${HOST}. The connection was refused. Check that the service is running.`,
    'setBaseUrl',
  ],
  [
    'unreachable',
    { reason: 'certificate' },
    `Can’t reach ${HOST}. Its certificate isn’t trusted.`,
    'setBaseUrl',
  ],
  [
    'unreachable',
    { reason: 'proxy' },
    `Can’t reach ${HOST}. The proxy refused the connection. Check the http.proxy settings.`,
    'setBaseUrl',
  ],
  ['timeout', {}, `${HOST} didn’t respond in time.`],
  ['interrupted', {}, 'The connection was closed before the reply was complete.'],
  ['invalidResponse', {}, `${HOST} sent an invalid response.`, 'setBaseUrl', 'showLog'],
  ['invalidResponse', { reason: 'empty' }, 'The service sent an empty response.', 'setBaseUrl', 'showLog'],
  ['refusedUrl', {}, `${HOST} returned a URL that isn’t safe to use.`, 'showLog'],
  ['aborted', {}, 'Stopped.'],
  ['service', { status: 503 }, `${HOST} returned an error (503).`],
  ['service', {}, `${HOST} returned an error (–).`],
  ['fileChanged', {}, 'The file was changed, moved, or deleted.'],
  ['gone', {}, 'This conversation is no longer on the service; its text is kept here.'],
  ['unanswered', {}, 'The bot couldn’t answer this message.'],
  ['internal', {}, 'Something went wrong in Parley.', 'showLog'],
];

/** The text for each step of an upload, which follows the text for the code. */
const STEPS = [
  ['signing', 'Couldn’t get an upload URL.'],
  ['uploading', 'Couldn’t upload the file.'],
  ['registering', 'The file was uploaded, but not added to the conversation.'],
] as const;

describe('Failure texts', () => {
  const settings = () => vscode.workspace.getConfiguration('parley');
  before(() => settings().update('baseUrl', `https://${HOST}/api/v1`, vscode.ConfigurationTarget.Global));
  after(() => settings().update('baseUrl', undefined, vscode.ConfigurationTarget.Global));

  for (const [code, rest, sentence, ...actions] of SENTENCES) {
    it(`are “${sentence}” for ${[code, ...Object.values(rest).map(String)].join(' ')}`, () => {
      const failure = { code, maySend: true, ...rest };
      assert.deepEqual(toProblem(failure, false).text, sentence);
      assert.deepEqual(toProblem(failure, false).actions, actions);
      assert.deepEqual(toProblem(failure, true).actions, ['retry', ...actions]);
      // A message with an empty or a partial reply was obviously sent.
      const unsure = { ...failure, maySend: false };
      assert.equal(
        toProblem(unsure, true).text,
        code === 'unanswered' ? sentence : `${sentence} ${MAYBE_SENT}`,
      );
      assert.equal(toProblem(unsure, true, true).text, sentence);
    });
  }

  for (const [step, sentence] of STEPS) {
    it(`are “${sentence}” for an upload that fails while ${step}`, () => {
      const { text, actions } = toUploadProblem({ code: 'service', status: 500, maySend: true }, step);
      assert.deepEqual([text, actions], [`${HOST} returned an error (500). ${sentence}`, ['retry']]);
    });
  }

  it('don’t offer to set the API key if the storage refuses a file', () => {
    for (const code of ['unauthorized', 'forbidden'] as const) {
      const { text, actions } = toUploadProblem({ code, maySend: true }, 'uploading');
      assert.deepEqual([text, actions], ['The storage server rejected the file.', ['retry']]);
    }
  });

  it('include the service’s message, the field errors and the time to wait', () => {
    const problem = toProblem(
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
  });

  it('are formatted in one line for a notification', () => {
    const line = formatFailure({
      code: 'validation',
      maySend: true,
      serviceMessage: 'Sorry.',
      fieldErrors: { name: ['too long', 'too odd'] },
    });
    assert.equal(line, 'The service didn’t accept the request. Sorry. name: too long name: too odd');
  });
});
