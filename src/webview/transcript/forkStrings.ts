import { t } from '../base/l10n';

/** Strings of the links between forks, which are loaded when a conversation has some. */
export const forkStrings = {
  forkedFrom: (name: string) => t('Forked from {0}', name),
  forkedTo: (name: string) => t('Forked to {0}', name),
  untitled: t('Conversation'),
} as const;
