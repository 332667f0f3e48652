import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import {
  type ExportWords,
  exportMarkdown,
  toMarkdownSections,
} from '../../../src/chat/export/exportMarkdown';
import type { Turn } from '../../../src/chat/model/turn';
import { closeLastFence } from '../../../src/chat/text/fences';
import { attackLists } from '../../support/attackLists';
import { cases } from '../../support/fuzz';
import { anyConversation, conversationOf } from '../support/conversations';

const words: ExportWords = {
  untitled: 'Conversation',
  you: 'You',
  bot: 'Bot',
  document: 'Document',
  sources: 'Sources',
  about: ({ bot }) => `Bot: ${bot?.name}`,
  time: (at) => new Date(at).toISOString().slice(0, 16),
  ending: ({ ending }) => (ending === 'complete' ? undefined : (ending ?? 'streaming')),
  state: ({ state, size }) => `${size} bytes: ${state}`,
};

const markdown = new MarkdownIt({ html: true });
const at = Date.UTC(2026, 1, 3, 10, 30);
const createMessage = (text: string): Turn => ({ kind: 'message', id: 'm', text, at });
const createReply = (text: string, rest: object = {}): Turn => ({
  ...{ kind: 'reply', id: 'r', messageId: 'm', bot: 'Guide', text, at, ending: 'complete' },
  ...rest,
});

/** Returns the document's top-level headings as displayed text. */
function getHeadings(document: string): string[] {
  const tokens = markdown.parse(document, {});
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open' || token.level !== 0) return [];
    const children = tokens[index + 1]?.children ?? [];
    return `${token.markup} ${children.map(({ content }) => content).join('')}`;
  });
}

describe('exportMarkdown', () => {
  it('writes a heading for each turn, both sides verbatim, documents, endings and sources', () => {
    const conversation = conversationOf([
      { kind: 'document', id: 'd', name: 'spec_v2.pdf', size: 1200, sent: 1200, at, state: 'attached' },
      createMessage('What *is*\n# moss?'),
      createReply('A **plant**.', {
        sources: [{ name: 'spec_v2.pdf', url: 'https://docs.example/a b?c=<d>' }, { name: 'Own' }],
      }),
      createMessage('More'),
      createReply('It gro', { ending: 'interrupted' }),
    ]);
    assert.equal(
      exportMarkdown(conversation, words),
      `# Moss

Bot: Guide

## Document · 2026-02-03T10:30

spec_v2.pdf  
1200 bytes: attached

## You · 2026-02-03T10:30

\`\`\`text
What *is*
# moss?
\`\`\`

## Guide · 2026-02-03T10:30

A **plant**.

Sources:

- [spec_v2.pdf](<https://docs.example/a%20b?c=%3Cd%3E>)
- Own

## You · 2026-02-03T10:30

\`\`\`text
More
\`\`\`

## Guide · 2026-02-03T10:30

It gro

> interrupted
`,
    );
  });

  it('shows names unchanged whatever they mean in Markdown', () => {
    for (const name of [
      'Hello *there*, `you` <b>&amp;</b> [x](y) _z_ snake_case #',
      '1. not a list',
      '# a\n# b',
    ]) {
      const document = exportMarkdown(conversationOf([], name), words);
      assert.deepEqual(getHeadings(document), [`# ${name.replace('\n', ' ')}`]);
    }
  });

  it('creates no other headings, whatever the user writes and names contain', () => {
    fc.assert(
      fc.property(anyConversation, (conversation) => {
        const turns = conversation.turns.map((turn) =>
          turn.kind === 'reply' ? { ...turn, text: 'Yes.' } : turn,
        );
        const document = exportMarkdown({ ...conversation, turns }, words);
        assert.equal(getHeadings(document).length, turns.length + 1, document);
      }),
      cases(300),
    );
  });

  for (const [name, attacks] of attackLists) {
    it(`renders each of ${name} as text in messages and names [attack: script]`, () => {
      for (const attack of attacks) {
        const sources = [{ name: attack, url: attack }];
        const document: Turn = {
          kind: 'document',
          id: 'd',
          name: attack,
          size: 1,
          sent: 1,
          at,
          state: 'attached',
        };
        const conversation = conversationOf(
          [document, createMessage(attack), createReply('Yes.', { sources })],
          attack,
        );
        const tokens = markdown.parse(exportMarkdown(conversation, words), {});
        const all = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
        const live = all.filter(({ type }) => /^(?:html|link_open|image)/.test(type));
        assert.deepEqual(
          live.map(({ type, content }) => `${type} ${content}`),
          [],
          attack,
        );
        // The message of the user is there verbatim.
        const fence = all.find(({ type }) => type === 'fence');
        const content = attack.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd').replace(/\n$/, '');
        assert.equal(fence?.content.replace(/\n$/, ''), content, attack);
      }
    });
  }

  it("uses a fence that the text of the message can't close", () => {
    const text = 'Why?\n````js\n# a\n````\n# b';
    const document = exportMarkdown(conversationOf([createMessage(text)]), words);
    assert.ok(document.endsWith(`\n\`\`\`\`\`text\n${text}\n\`\`\`\`\`\n`), document);
    assert.equal(getHeadings(document).length, 2);
  });

  it('links sources only with https: and without credentials', () => {
    for (const url of [
      'http://a.example',
      'command:x',
      'javascript:x',
      'file:///etc/passwd',
      'https://me:pw@a.example',
      'no',
    ]) {
      const document = exportMarkdown(
        conversationOf([createReply('', { sources: [{ name: 'A', url }] })]),
        words,
      );
      assert.match(document, /\n- A\n$/, url);
    }
  });

  it('keeps the headings after an interrupted reply out of its code block', () => {
    const document = exportMarkdown(
      conversationOf([createReply('Run\n\n```sh\nls\n', { ending: 'stopped' }), createMessage('And?')]),
      words,
    );
    assert.deepEqual(getHeadings(document).slice(1), [
      '## Guide · 2026-02-03T10:30',
      '## You · 2026-02-03T10:30',
    ]);
    assert.match(document, /```sh\nls\n```\n\n> stopped\n/);
  });
});

describe('closeLastFence', () => {
  it('adds nothing when no fence is open', () => {
    for (const text of [
      '',
      'a',
      '```\na\n```',
      '~~~~\n```\n~~~~',
      '- ```js\n  a\n  ```',
      '> ```\n> a',
      '    ```',
      'a `` b',
      '1. x\n\n   ```\n   y\n   ```\nend',
    ]) {
      assert.equal(closeLastFence(text), text);
    }
  });

  it('closes with the opening fence', () => {
    assert.equal(closeLastFence('````md\n```\n'), '````md\n```\n````');
    assert.equal(closeLastFence('~~~\n```'), '~~~\n```\n~~~');
    assert.equal(closeLastFence('- ```\n  a\n  ```\n\n```\nb'), '- ```\n  a\n  ```\n\n```\nb\n```');
  });

  it('agrees with a full parser about what follows', () => {
    const line = fc.constantFrom(
      ...[
        '```',
        '```js',
        '````',
        '~~~',
        '~~~~',
        '  ```',
        '   ```',
        '    ```',
        '- a',
        '- ```',
        '  - ~~~',
        '1. ```',
        '10. x',
      ],
      ...['text', '  text', '   text', '> ```', '> q', '', '', '# h', '``` a`b', '\t```', '```\t', '~~~ x'],
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const document = `${closeLastFence(lines.join('\n'))}\n\n# END\n`;
        assert.equal(getHeadings(document).at(-1), '# END', document);
      }),
      cases(5000),
    );
  });
});

describe('toMarkdownSections', () => {
  it('renders only turns that can change again', () => {
    const known = new WeakMap();
    const message = createMessage('Hi');
    const streaming = { ...createReply('He'), ending: undefined } as unknown as { text: string } & Turn;
    const sections = () => toMarkdownSections(conversationOf([message, streaming]), words, known);
    const before = sections();
    streaming.text = 'Hello';
    const after = sections();
    assert.equal(after[1], before[1]);
    assert.match(after[2]?.markdown ?? '', /\nHello\n\n> streaming\n$/);
    const document = after.map(({ markdown }) => markdown).join('\n');
    assert.equal(document, exportMarkdown(conversationOf([message, streaming]), words));
  });
});
