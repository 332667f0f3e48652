import type { Overflow } from '../../shared/view/viewModel';
import { plural, t } from '../base/l10n';

/** Strings of the lazily loaded part of the composer: chips, long texts, web search. */
export const composerStrings = {
  addContext: t('Add Context…'),
  bot: (name: string) => t('Bot: {0}', name),
  changeBot: t('Change Bot…'),
  askInFork: t('In a New Conversation'),
  askInForkTitle: t('Move the message to a new conversation that includes the transcript up to here'),
  webSearch: t('Search the Web'),
  webSearchTitle: t('Search the Web (replies arrive all at once)'),
  context: t('Context'),
  cost: (characters: number) => plural(characters, '{0} character', '{0} characters'),
  removeChip: (name: string) => t('Remove {0}', name),
  moreLines: (count: number) => plural(count, '… {0} more line', '… {0} more lines'),

  tooLong: t('Too long for one message'),
  tooLongBy: (count: string, limit: string) =>
    t('Your message is {0} characters long; the limit is {1}.', count, limit),
  sendAsDocument: t('Send as Document'),
  split: (count: string) => t('Split into {0} Messages', count),
  splitCosts: (count: string) =>
    t('If split, it counts as {0} messages, each sent after the previous reply.', count),
  shorten: t('Shorten Manually'),
  always: t('Always do this'),
  shortenBy: (count: number) =>
    plural(count, '{0} character over the limit.', '{0} characters over the limit.'),
  otherWays: t('Other Options'),
  remembered: {
    document: () => t('Too long for one message. It will be sent as a document.'),
    split: (count: string) =>
      t(
        'Too long for one message. It will be sent as {0} messages, which all count toward your limit.',
        count,
      ),
  } satisfies Record<Overflow, (count: string) => string>,
  askEachTime: t('Ask Each Time'),
  sendingDocument: t('Sending…'),
} as const;
