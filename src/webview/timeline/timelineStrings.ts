import { t } from '../base/l10n';

/** Strings of the timeline, which is loaded when it's first shown. */
export const timelineStrings = {
  timeline: t('Timeline'),
  show: t('Show Timeline'),
  filter: t('Filter questions and headings'),
  items: t('Questions and Headings'),
  close: t('Close'),
  withKey: (name: string, key: string) => `${name} (${key})`,
  noMatch: t('No matching results.'),
  noQuestions: t('No questions yet.'),
} as const;
