import assert from 'node:assert/strict';
import type { Turn } from '../../../src/chat/model/turn';
import { createDocumentName, createLeadIn } from '../../../src/chat/replies/longMessage';
import { createDocumentTurn, createMessageTurn } from '../support/remoteMessages';

describe('A long message that becomes a document', () => {
  const named = (name: string): Turn => ({ ...createDocumentTurn(name), name }) as Turn;

  it('is named after its first line, without the marks of Markdown', () => {
    for (const [text, name] of [
      ['\n\n  # The plan ##\t\nText', 'The plan.md'],
      ['> - * Quoted', 'Quoted.md'],
      ['C# code', 'C# code.md'],
      ['`a` or ``b`` and ```c```', '`a` or ``b`` and ```c```.md'],
      ['~ 20 lines', '~ 20 lines.md'],
      ['src/main: x', 'src main x.md'],
      [`x${'y'.repeat(59)}`, `x${'y'.repeat(59)}.md`],
      [`${'👍'.repeat(58)}ab`, `${'👍'.repeat(58)}ab.md`],
    ] as const)
      assert.equal(createDocumentName(text, []), name);
  });

  it('is named by a number if its first line is no name', () => {
    for (const text of ['', '- 1', '```ts\ncode', '~~~\ncode', '!? a !', 'x'.repeat(61)])
      assert.equal(createDocumentName(text, []), 'message-1.md', text);
  });

  it('gets a name that no document of the conversation has', () => {
    const turns = [
      named('Plan.md'),
      named('Plan-1.md'),
      named('message-1.md'),
      createMessageTurn('m', 'Other'),
    ];
    assert.equal(createDocumentName('Plan', turns), 'Plan-2.md');
    assert.equal(createDocumentName('?', turns), 'message-2.md');
    assert.equal(createDocumentName('Other', turns), 'Other.md');
  });

  it('is quoted by its first line, at most 300 characters of it', () => {
    assert.equal(createLeadIn(' \n First \nSecond'), 'First');
    assert.equal(createLeadIn('👍'.repeat(300)), '👍'.repeat(300));
    assert.equal(createLeadIn('👍'.repeat(301)), `${'👍'.repeat(300)}…`);
  });
});
