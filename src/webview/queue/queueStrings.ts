import { plural, t } from '../base/l10n';

/** Strings of the queue, which is loaded after the page's first render. */
export const queueStrings = {
  queue: t('Queue'),
  count: (count: number) =>
    plural(count, '{0} message (counts toward your limit)', '{0} messages (each counts toward your limit)'),
  countTitle: t('Each queued message counts toward your plan’s message limit once it’s sent.'),
  waitsFor: (name: string) => t('Waiting for “{0}”', name),
  resume: t('Resume'),
  sendNow: t('Send Now'),
  sendNowStops: t('Send Now (stops the reply)'),
  sendNowUnready: t('Send now, without documents that are still being processed'),
  edit: t('Edit'),
  moveUp: t('Move Up'),
  moveDown: t('Move Down'),
  remove: t('Remove'),
  maybeSent: t('May have been sent'),
  webSearch: t('With web search'),
  editing: t('Queued Message'),
  save: t('Save'),
  cancel: t('Cancel'),
  added: t('Added to the queue.'),
  moved: (position: number, count: number) => t('Moved to position {0} of {1}.', position, count),
} as const;
