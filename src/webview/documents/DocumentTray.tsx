import chevronRightIcon from '@vscode/codicons/src/icons/chevron-right.svg';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DocumentTurn, ServiceDocument, Turn } from '../../shared/viewModel';
import { Icon } from '../base/icons';
import { moveByArrow, useRoving } from '../base/roving';
import { usePage } from '../page/page';
import { DocumentRow } from './DocumentRow';
import { changesToSay, isConverting, isUnderWay, shownDocuments } from './documentList';
import { documentStrings as strings } from './documentStrings';
import { ServiceDocumentRow } from './ServiceDocumentRow';

interface Props {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
  readonly serviceDocuments: readonly ServiceDocument[] | undefined;
}

/** More documents than this are collapsed into one line. */
const FEW = 3;

/** The conversation's documents above the composer: one Tab stop, with arrow keys within. */
export function DocumentTray({ conversationId, turns, serviceDocuments = [] }: Props) {
  const page = usePage();
  const grid = useRef<HTMLDivElement>(null);
  const documents = shownDocuments(turns);
  const [open, setOpen] = useState(false);
  const count = documents.length + serviceDocuments.length;
  const collapses = count > FEW;
  const listedOnService = collapses && !open ? [] : serviceDocuments;
  // Failed documents need attention: they are always shown.
  const listed = collapses && !open ? documents.filter(({ state }) => state === 'failed') : documents;

  useSpoken(documents);
  useRoving(grid);
  const [wanted, setWanted] = useState(false);
  const some = count > 0;
  useLayoutEffect(() => {
    if (!some) return;
    page.documents.focus = () => {
      setOpen(true);
      setWanted(true);
    };
    if (page.documents.wanted) page.documents.focus();
    page.documents.wanted = false;
    return () => {
      page.documents.focus = undefined;
    };
  }, [page, some]);
  useLayoutEffect(() => {
    if (!wanted) return;
    setWanted(false);
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [wanted]);

  if (!some) return null;
  const summary = formatSummary(documents, serviceDocuments);
  return (
    <section class="tray" aria-label={strings.documents}>
      {collapses && (
        <button
          type="button"
          class="tray-toggle"
          aria-expanded={open}
          aria-controls="documents"
          onClick={() => setOpen(!open)}
        >
          <Icon file={chevronRightIcon} />
          <span>{strings.documentCount(count)}</span>
          <span class="tray-summary" title={summary}>
            {summary}
          </span>
        </button>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a grid that isn't a table. */}
      <div
        class="tray-rows"
        id="documents"
        role="grid"
        tabIndex={-1}
        aria-label={strings.documents}
        hidden={listed.length + listedOnService.length === 0}
        ref={grid}
        onKeyDown={(event) => moveByArrow(event, grid, '[role=row]', () => page.focusComposer())}
      >
        {listed.map((document) => (
          <DocumentRow key={document.id} conversationId={conversationId} document={document} />
        ))}
        {listedOnService.map((document) => (
          <ServiceDocumentRow
            key={`service ${document.id}`}
            conversationId={conversationId}
            document={document}
          />
        ))}
      </div>
    </section>
  );
}

function formatSummary(
  documents: readonly DocumentTurn[],
  serviceDocuments: readonly ServiceDocument[],
): string {
  const { underWay, converting, changed, failed, elsewhere, older } = strings.documentCounts;
  const from = (origin: ServiceDocument['origin']) =>
    serviceDocuments.filter((document) => document.origin === origin).length;
  const counts = [
    [failed, documents.filter(({ state }) => state === 'failed').length],
    [underWay, documents.filter(isUnderWay).length],
    [converting, documents.filter(isConverting).length],
    [changed, documents.filter(({ file }) => file === 'changed').length],
    [elsewhere, from('elsewhere')],
    [older, from('older')],
  ] as const;
  return counts.flatMap(([say, count]) => (count > 0 ? [say(count)] : [])).join(', ');
}

/** Announces changes of documents to screen readers, once. */
function useSpoken(documents: readonly DocumentTurn[]): void {
  const page = usePage();
  const before = useRef(documents);
  useEffect(() => {
    const news = changesToSay(before.current, documents);
    before.current = documents;
    if (news.length > 0) page.announce(news.join('. '));
  });
}
