import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { getStatusKind } from '../../shared/view/documentReadiness';
import type { DocumentTurn, Turn } from '../../shared/view/viewModel';
import { formatBytes, formatTime } from '../base/format';
import { t } from '../base/l10n';

const documentStates = {
  queued: t('Waiting'),
  signing: t('Preparing'),
  uploading: t('Uploading'),
  registering: t('Adding'),
  attached: t('Added'),
  failed: t('Not added'),
  cancelled: t('Canceled'),
} as const;

/** Returns a conversation's documents, without those that a newer version has replaced or is replacing. */
export function getShownDocuments(turns: readonly Turn[]): DocumentTurn[] {
  const documents = turns.filter((turn) => turn.kind === 'document');
  const replaced = new Set(
    documents.map(({ state, replaces }) => (state === 'failed' || state === 'cancelled' ? '' : replaces)),
  );
  return documents.filter(({ id }) => !replaced.has(id));
}

export function isUnderWay({ state }: DocumentTurn): boolean {
  return state === 'queued' || state === 'signing' || state === 'uploading' || state === 'registering';
}

/** Returns whether the service has the document, but a bot can't use it yet. */
export function isConverting({ state, status }: DocumentTurn): boolean {
  return state === 'attached' && status !== undefined && getStatusKind(status) === 'underWay';
}

/** Formats a document's state in a few words. */
export function formatState(document: DocumentTurn): string {
  const state = formatUploadState(document);
  return document.focus === 'excluded' ? `${state} · ${t('excluded')}` : state;
}

function formatUploadState(document: DocumentTurn): string {
  const { state, status, file, sent, size, waitsUntil } = document;
  if (waitsUntil !== undefined) return t('Waiting until {0}', formatTime(waitsUntil, Date.now()));
  if (state === 'uploading') return t('{0} of {1}', formatBytes(sent), formatBytes(size));
  if (state !== 'attached') return documentStates[state];
  if (file) return file === 'changed' ? t('Changed since upload') : t('File not found');
  if (isConverting(document)) return t('Converting…');
  return status !== undefined && getStatusKind(status) === 'failed'
    ? t('Conversion failed')
    : documentStates.attached;
}

/** Formats a document's details for its tooltip. */
export function formatDetails(document: DocumentTurn): string {
  const { name, size, status, unsaved } = document;
  const word = status === undefined ? [] : [escapeInvisible(status)];
  return [
    escapeInvisible(name),
    [formatBytes(size), formatState(document), ...word].join(', '),
    ...(unsaved ? [t('Includes unsaved changes')] : []),
  ].join('\n');
}

/** Returns announcements for changes of documents. Failures are announced by their alerts. */
export function getAnnouncements(before: readonly DocumentTurn[], now: readonly DocumentTurn[]): string[] {
  const previous = new Map(before.map((document) => [document.id, document]));
  return now.flatMap((document) => {
    const old = previous.get(document.id);
    if (old === document || document.state === 'failed') return [];
    const hasChanged = old
      ? old.state !== document.state ||
        old.file !== document.file ||
        old.status !== document.status ||
        (old.focus === 'excluded') !== (document.focus === 'excluded')
      : document.state === 'queued';
    const isProgress = isUnderWay(document) && document.state !== 'queued';
    return hasChanged && !isProgress ? [`${escapeInvisible(document.name)}: ${formatState(document)}`] : [];
  });
}
