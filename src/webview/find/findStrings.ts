import { formatCount, t } from '../base/l10n';

const isMac = /^Mac/.test(navigator.platform);

/** Strings of the find widget, which is loaded when it's first opened. */
export const findStrings = {
  find: t('Find'),
  matchCase: t('Match Case'),
  wholeWord: t('Match Whole Word'),
  regex: t('Use Regular Expression'),
  previous: t('Previous Match'),
  next: t('Next Match'),
  close: t('Close'),
  withKey: (name: string, key: string) => `${name} (${key})`,
  /** `key`: pressed together with Alt. */
  withAltKey: (name: string, key: string) => `${name} (${isMac ? '⌥⌘' : 'Alt+'}${key})`,
  position: (position: number, total: number, isLimited: boolean) =>
    t(
      '{0} of {1}',
      position > 0 ? formatCount(position) : '?',
      `${formatCount(total)}${isLimited ? '+' : ''}`,
    ),
  noResults: t('No results'),
  searching: t('Searching…'),
  invalid: t('Invalid regular expression'),
  failed: t('The search took too long'),
} as const;
