import type { Overflow } from '../../shared/viewModel';
import { plural, t } from '../base/l10n';

/** What the composer's later part says: chips, the offer for long texts, the switch for web search. */
export const composerStrings = {
  addContext: t('Add Context…'),
  webSearch: t('Search the Web'),
  webSearchTitle: t('Search the Web (replies come whole, not as they are written)'),
  context: t('Context'),
  cost: (characters: number) => plural(characters, '{0} character', '{0} characters'),
  removeChip: (name: string) => t('Remove {0}', name),
  moreLines: (count: number) => plural(count, '… {0} more line', '… {0} more lines'),

  tooLong: t('Too long for one message'),
  tooLongBy: (count: string, limit: string) => t('{0} characters: a message has {1}.', count, limit),
  sendAsDocument: t('Send as Document'),
  split: (count: string) => t('Split into {0} Messages', count),
  splitCosts: (count: string) =>
    t('Split, it counts as {0} messages, each after the reply to the one before.', count),
  shorten: t('Shorten by Hand'),
  always: t('Always do this'),
  shortenBy: (count: number) =>
    plural(count, '{0} character too long to send.', '{0} characters too long to send.'),
  otherWays: t('Other Ways'),
  remembered: {
    document: () => t('Too long for one message: it is sent as a document.'),
    split: (count: string) => t('Too long for one message: it is sent as {0}, which all count.', count),
  } satisfies Record<Overflow, (count: string) => string>,
  askEachTime: t('Ask Each Time'),
  sendingDocument: t('Sending…'),
} as const;
