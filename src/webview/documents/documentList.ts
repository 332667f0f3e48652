import { statusKind } from '../../shared/conversionStatus';
import type { DocumentTurn, Turn } from '../../shared/viewModel';
import { escapeInvisible, formatBytes, formatTime } from '../base/format';
import { documentStrings as strings } from './documentStrings';

/** The documents of a conversation, without those that a newer version has taken or is taking the place of. */
export function shownDocuments(turns: readonly Turn[]): DocumentTurn[] {
  const documents = turns.filter((turn) => turn.kind === 'document');
  const replaced = new Set(
    documents.map(({ state, replaces }) => (state === 'failed' || state === 'cancelled' ? '' : replaces)),
  );
  return documents.filter(({ id }) => !replaced.has(id));
}

export function isUnderWay({ state }: DocumentTurn): boolean {
  return state === 'queued' || state === 'signing' || state === 'uploading' || state === 'registering';
}

/** The service has the document, and can't answer from it yet. */
export function isConverting({ state, status }: DocumentTurn): boolean {
  return state === 'attached' && status !== undefined && statusKind(status) === 'underWay';
}

/** How a document is, in a few words. */
export function formatState(document: DocumentTurn): string {
  const state = formatUploadState(document);
  return document.focus === 'excluded' ? `${state} · ${strings.excluded}` : state;
}

function formatUploadState(document: DocumentTurn): string {
  const { state, status, file, sent, size, waitsUntil } = document;
  if (waitsUntil !== undefined) return strings.waitingUntil(formatTime(waitsUntil, Date.now()));
  if (state === 'uploading') return strings.uploaded(formatBytes(sent), formatBytes(size));
  if (state !== 'attached') return strings.documentStates[state];
  if (file) return file === 'changed' ? strings.documentChanged : strings.documentGone;
  if (isConverting(document)) return strings.converting;
  return status !== undefined && statusKind(status) === 'failed'
    ? strings.notConverted
    : strings.documentStates.attached;
}

/** The same in full, for who asks. */
export function formatDetails(document: DocumentTurn): string {
  const { name, size, status, unsaved } = document;
  const word = status === undefined ? [] : [escapeInvisible(status)];
  return [
    escapeInvisible(name),
    [formatBytes(size), formatState(document), ...word].join(', '),
    ...(unsaved ? [strings.unsavedDocument] : []),
  ].join('\n');
}

/** What is worth a word of what became of documents since. Failures speak for themselves. */
export function changesToSay(before: readonly DocumentTurn[], now: readonly DocumentTurn[]): string[] {
  const known = new Map(before.map((document) => [document.id, document]));
  return now.flatMap((document) => {
    const past = known.get(document.id);
    if (past === document || document.state === 'failed') return [];
    const isNews = past
      ? past.state !== document.state ||
        past.file !== document.file ||
        past.status !== document.status ||
        (past.focus === 'excluded') !== (document.focus === 'excluded')
      : document.state === 'queued';
    const isProgress = isUnderWay(document) && document.state !== 'queued';
    return isNews && !isProgress ? [`${escapeInvisible(document.name)}: ${formatState(document)}`] : [];
  });
}
