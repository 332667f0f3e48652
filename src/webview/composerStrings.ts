import type { Overflow } from '../shared/conversation';
import { formatCount } from './format';

/** What the composer's later part says: chips, the offer for long texts, the switch for web search. */
export const composerStrings = {
  addContext: 'Add Context…',
  webSearch: 'Search the Web',
  webSearchTitle: 'Search the Web (replies come whole, not as they are written)',
  context: 'Context',
  cost: (characters: number) => (characters === 1 ? '1 character' : `${formatCount(characters)} characters`),
  removeChip: (name: string) => `Remove ${name}`,
  moreLines: (count: string) => `… ${count} more lines`,

  tooLong: 'Too long for one message',
  tooLongBy: (count: string, limit: string) => `${count} characters: a message has ${limit}.`,
  sendAsDocument: 'Send as Document',
  split: (count: string) => `Split into ${count} Messages`,
  splitCosts: (count: string) =>
    `Split, it counts as ${count} messages, each after the reply to the one before.`,
  shorten: 'Shorten by Hand',
  always: 'Always do this',
  shortenBy: (count: string) => `${count} characters too long to send.`,
  otherWays: 'Other Ways',
  remembered: {
    document: () => 'Too long for one message: it is sent as a document.',
    split: (count: string) => `Too long for one message: it is sent as ${count}, which all count.`,
  } satisfies Record<Overflow, (count: string) => string>,
  askEachTime: 'Ask Each Time',
  sendingDocument: 'Sending…',
  toCome: (count: number) =>
    count === 1
      ? 'One more message follows after this reply.'
      : `${count} more messages follow, each after the reply to the one before.`,
} as const;
