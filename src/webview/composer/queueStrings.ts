import { plural, t } from '../base/l10n';

/** What the page says of the queue: apart from its other strings, since it is loaded once the page is drawn. */
export const queueStrings = {
  queue: t('Queue'),
  count: (count: number) => plural(count, '{0} message, which counts', '{0} messages, each counts'),
  countTitle: t('Each queued message counts against the message limit of your plan once it is sent.'),
  waitsFor: (name: string) => t('Waiting for “{0}”', name),
  resume: t('Resume'),
  sendNow: t('Send Now'),
  sendNowStops: t('Send Now (stops the reply)'),
  edit: t('Edit'),
  moveUp: t('Move Up'),
  moveDown: t('Move Down'),
  remove: t('Remove'),
  maybeSent: t('May have been sent'),
  webSearch: t('Searches the web'),
  editing: t('Queued Message'),
  save: t('Save'),
  cancel: t('Cancel'),
  added: t('Added to the queue.'),
  moved: (place: number, count: number) => t('Moved to place {0} of {1}.', place, count),
} as const;
