import { t } from '../base/l10n';

/** What the list of conversations says of its own: apart from the page's other strings, since it is loaded later. */
export const listStrings = {
  filter: t('Search conversations and messages'),
  noConversations: t('No conversations yet.'),
  noMatch: t('Nothing matches.'),
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
