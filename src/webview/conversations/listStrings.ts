import { t } from '../base/l10n';

/** Strings of the conversation list, which is loaded later. */
export const listStrings = {
  filter: t('Search conversations and messages'),
  noConversations: t('No conversations yet.'),
  noMatch: t('No matching results.'),
  searching: t('Searching messages…'),
  inMessages: t('In messages'),
  onService: t('On the service'),
  groups: {
    pinned: t('Pinned'),
    today: t('Today'),
    yesterday: t('Yesterday'),
    week: t('Previous 7 days'),
    month: t('Previous 30 days'),
  },
  pin: t('Pin'),
  unpin: t('Unpin'),
  streaming: t('Replying'),
  unread: t('New reply'),
} as const;
