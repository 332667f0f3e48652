import type { PanelState } from '../../../src/shared/conversation';
import type { Panel } from './panel';
import { document, message, panelState, reply, streaming, summary } from './states';

const rich = `# Title

Some **bold**, *soft* and \`inline\` words with a [link](https://example.com).

- one
- two

> A quote

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const veryLong = '${'x'.repeat(200)}';
\`\`\`
`;
const failed = {
  text: 'The service did not accept this.',
  detail: 'The given data was invalid.',
  fields: [{ name: 'bot_id', messages: ['No such bot.'] }],
  actions: ['retry', 'showLog'],
} as const;
const chips = [
  {
    id: 'a',
    kind: 'selection',
    name: 'a.ts:1-40',
    text: `a.ts\n\`\`\`ts\n${'const a = 1; // and so on\n'.repeat(38)}\`\`\``,
  },
  { id: 'b', kind: 'terminal', name: 'Terminal bash', text: 'b' },
] as const;
/** A state of the panel, and what a person does in it. */
export type Scene = readonly [state: PanelState, act?: (panel: Panel) => Promise<void>];

/** The panel's states by name, one after the other on the same page. */
export const scenes: Readonly<Record<string, Scene>> = {
  'first run': [panelState({}, { setup: { step: 'apiKey', serviceHost: 'bots.example', problem: failed } })],
  'empty conversation': [panelState()],
  streaming: [panelState({ turns: [message('1', 'Hi'), streaming('2', rich)] })],
  endings: [
    panelState({
      turns: [
        message('1', 'Hi\n```\ncode\n```'),
        reply('2', rich, {
          skipped: true,
          sources: [{ name: 'a.md', opens: 'file' }, { name: 'b', opens: 'link' }, { name: 'c' }],
        }),
        reply('3', 'So', { ending: 'stopped' }),
        reply('4', 'So', { ending: 'interrupted', problem: failed }),
        reply('5', '', { ending: 'failed', problem: { ...failed, retryAt: Date.now() + 60_000 } }),
        document('6', { state: 'uploading', sent: 9 }),
        document('7', { state: 'failed', problem: failed }),
      ],
    }),
  ],
  'documents, unfolded': [
    panelState({
      turns: [
        message('1', 'Hi'),
        document('2', { state: 'attached', opens: true, status: 'syncing' }),
        document('3', { state: 'attached', opens: true, file: 'changed', updateOnSave: true }),
        document('4', { state: 'attached', opens: true, file: 'gone' }),
        document('5', { state: 'failed', problem: failed, offersText: true }),
        document('6', { state: 'cancelled' }),
      ],
    }),
    (panel) => panel.page.getByRole('button', { name: panel.said('{0} documents', 5) }).click(),
  ],
  'set-up strip and a message too long': [
    panelState(
      { turns: [message('1', 'Hi')], draft: 'x'.repeat(2001) },
      { setup: { step: 'apiKey', problem: failed } },
    ),
    (panel) => panel.button('Send as Document').waitFor(),
  ],
  'chips, a preview, web search and messages to come': [
    panelState({
      turns: [
        message('1', 'Hi'),
        reply('2', 'So', { webSearch: true }),
        { ...streaming('3'), webSearch: true },
      ],
      composing: { context: chips, webSearch: true, toCome: 2 },
    }),
    (panel) => panel.page.locator('.chip-name').first().focus(),
  ],
  'what is done with long texts, remembered': [
    panelState({ draft: 'x'.repeat(2001) }, { overflow: 'split' }),
    (panel) => panel.button('Ask Each Time').waitFor(),
  ],
  'list open': [
    panelState(
      { turns: [message('1', 'Hi')] },
      { conversations: [summary('a', 'One', { streaming: true }), summary('b', 'Two', { unread: true })] },
    ),
    (panel) => panel.button('Conversations, new replies').click(),
  ],
  'what a search found': [
    panelState({ turns: [message('1', 'Hi')] }, { conversations: [summary('a', 'One', { pinned: true })] }),
    async (panel) => {
      await panel.button('Conversations').click();
      await panel.page.getByRole('combobox').fill('on');
      await panel.intent('search');
      const found = { conversationId: 'c', name: 'C', bot: { id: 'g', name: 'G' }, at: 1 };
      const text = { before: '…and ', match: 'on', after: ' it goes…' };
      const hits = ['t', 'u'].map((turnId) => ({ ...found, ...text, turnId }));
      await panel.post({ type: 'searchResults', query: 'on', hits, done: true });
      await panel.page.getByText(panel.said('In messages')).waitFor();
    },
  ],
  'a notice, and a message edited': [
    panelState(
      { turns: [message('1', 'Hi'), reply('2', 'So')], earlier: true },
      { notice: { kind: 'storage', text: 'Can’t save.', actions: ['tryAgain', 'showLog'] } },
    ),
    (panel) => panel.button('Edit and Ask Again').press('Enter'),
  ],
  'menu open': [panelState({ turns: [message('1', 'Hi')] }), (panel) => panel.button('More Actions').click()],
};
