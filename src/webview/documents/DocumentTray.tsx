import chevronRightIcon from '@vscode/codicons/src/icons/chevron-right.svg';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DocumentTurn, ServiceDocumentView, Turn } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { plural, t } from '../base/l10n';
import { moveFocusByArrow, useRovingTabIndex } from '../base/roving';
import { usePage } from '../page/pageServices';
import { DocumentRow } from './DocumentRow';
import { getAnnouncements, getShownDocuments, isConverting, isUnderWay } from './documentList';
import { FolderRow } from './FolderRow';
import { ServiceDocumentRow } from './ServiceDocumentRow';

const documentCounts = {
  underWay: (count: number) => t('{0} in progress', count),
  converting: (count: number) => t('{0} converting', count),
  changed: (count: number) => t('{0} changed', count),
  failed: (count: number) => t('{0} not added', count),
  addedElsewhere: (count: number) => t('{0} added elsewhere', count),
  older: (count: number) => plural(count, '{0} older version', '{0} older versions'),
} as const;

interface Props {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
  readonly serviceDocuments: readonly ServiceDocumentView[] | undefined;
  readonly uploadFolder: string | undefined;
}

/** More documents than this are collapsed into one line. */
const MAX_EXPANDED_DOCUMENTS = 3;
/** Rows of each kind that are drawn at first, and that each click on Show More adds. */
const MAX_DRAWN_ROWS = 100;

/** The conversation's documents above the composer: one Tab stop, with arrow keys within. */
export function DocumentTray({ conversationId, turns, serviceDocuments = [], uploadFolder }: Props) {
  const page = usePage();
  const grid = useRef<HTMLDivElement>(null);
  const documents = getShownDocuments(turns);
  const [open, setOpen] = useState(false);
  const [maxRows, setMaxRows] = useState(MAX_DRAWN_ROWS);
  const count = documents.length + serviceDocuments.length;
  const collapses = count > MAX_EXPANDED_DOCUMENTS;
  const listedOnService = collapses && !open ? [] : serviceDocuments;
  // Failed documents need attention: they are always shown.
  const listed = collapses && !open ? documents.filter(({ state }) => state === 'failed') : documents;
  // The newest documents are the last ones.
  const drawn = listed.slice(-maxRows);
  const drawnOnService = listedOnService.slice(0, maxRows);
  const hiddenCount = listed.length - drawn.length + listedOnService.length - drawnOnService.length;

  useAnnouncements(documents);
  useRovingTabIndex(grid);
  useEffect(() => {
    if (open) page.post({ type: 'listDocuments', conversationId });
  }, [page, open, conversationId]);
  const [focusRequested, setFocusRequested] = useState(false);
  const hasDocuments = count > 0;
  useLayoutEffect(() => {
    if (!hasDocuments) return;
    return page.onShowDocuments(() => {
      setOpen(true);
      setFocusRequested(true);
    });
  }, [page, hasDocuments]);
  useLayoutEffect(() => {
    if (!focusRequested) return;
    setFocusRequested(false);
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [focusRequested]);

  if (!hasDocuments) return null;
  const summary = formatSummary(documents, serviceDocuments);
  return (
    <section class="tray" aria-label={t('Documents')}>
      {collapses && (
        <button
          type="button"
          class="tray-toggle"
          aria-expanded={open}
          aria-controls="documents"
          onClick={() => {
            setOpen(!open);
            setMaxRows(MAX_DRAWN_ROWS);
          }}
        >
          <Icon file={chevronRightIcon} />
          <span>{plural(count, '{0} document', '{0} documents')}</span>
          <span class="tray-summary" title={summary}>
            {summary}
          </span>
        </button>
      )}
      <div
        class="tray-rows"
        id="documents"
        role="grid"
        tabIndex={-1}
        aria-label={t('Documents')}
        hidden={listed.length + listedOnService.length === 0}
        ref={grid}
        onKeyDown={(event) => moveFocusByArrow(event, grid, '[role=row]', () => page.focusComposer())}
      >
        {drawn.map((document) => (
          <DocumentRow key={document.id} conversationId={conversationId} document={document} />
        ))}
        {drawnOnService.map((document) => (
          <ServiceDocumentRow
            key={`service ${document.id}`}
            conversationId={conversationId}
            document={document}
          />
        ))}
        {hiddenCount > 0 && (
          <ShowMore
            count={hiddenCount}
            onClick={() => {
              setMaxRows(maxRows + MAX_DRAWN_ROWS);
              // The last click removes the button.
              setFocusRequested(true);
            }}
          />
        )}
        {uploadFolder !== undefined && (open || !collapses) && <FolderRow name={uploadFolder} />}
      </div>
    </section>
  );
}

/** A row of the grid, so that the arrow keys reach it. */
function ShowMore({ count, onClick }: { readonly count: number; readonly onClick: () => void }) {
  return (
    <div class="document" role="row">
      <div class="document-main" role="gridcell">
        <button type="button" class="document-open" onClick={onClick}>
          {plural(count, 'Show {0} more', 'Show {0} more')}
        </button>
      </div>
    </div>
  );
}

function formatSummary(
  documents: readonly DocumentTurn[],
  serviceDocuments: readonly ServiceDocumentView[],
): string {
  const { underWay, converting, changed, failed, addedElsewhere, older } = documentCounts;
  const from = (origin: ServiceDocumentView['origin']) =>
    serviceDocuments.filter((document) => document.origin === origin).length;
  const counts = [
    [failed, documents.filter(({ state }) => state === 'failed').length],
    [underWay, documents.filter(isUnderWay).length],
    [converting, documents.filter(isConverting).length],
    [changed, documents.filter(({ file }) => file === 'changed').length],
    [addedElsewhere, from('addedElsewhere')],
    [older, from('older')],
  ] as const;
  return counts.flatMap(([formatCount, count]) => (count > 0 ? [formatCount(count)] : [])).join(', ');
}

/** Announces changes of documents to screen readers, once. */
function useAnnouncements(documents: readonly DocumentTurn[]): void {
  const page = usePage();
  const before = useRef(documents);
  useEffect(() => {
    const announcements = getAnnouncements(before.current, documents);
    before.current = documents;
    if (announcements.length > 0) page.announce(announcements.join('. '));
  });
}
