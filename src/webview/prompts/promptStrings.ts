import { t } from '../base/l10n';

/** Strings of the prompts in the composer. */
export const promptStrings = {
  prompts: t('Prompts'),
  manage: t('Manage Prompts…'),
  inputs: (name: string) => t('Inputs for the prompt “{0}”', name),
  insert: t('Insert'),
  cancel: t('Cancel'),
} as const;
