import type { MentionView } from '../../shared/conversation/mention';
import { plural, t } from '../base/l10n';

/** A mention's kind, for screen readers, if its name doesn't tell. */
const kinds: Readonly<Partial<Record<MentionView['kind'], string>>> = {
  editor: t('Open Editor'),
  file: t('File'),
  folder: t('Folder'),
  symbol: t('Symbol'),
  document: t('Document'),
};

/** Strings of the mentions in the composer. */
export const mentionStrings = {
  mentions: t('Mentions'),
  more: t('More Context…'),
  searching: t('Searching…'),
  results: (count: number) => plural(count, '{0} result', '{0} results'),
  noResults: t('No results'),
  characters: (count: number) => plural(count, '{0} character', '{0} characters'),
  upload: t('Upload'),
  readLater: t('Read when added'),
  added: (name: string) => t('Added {0}', name),
  kinds,
} as const;
