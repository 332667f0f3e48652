import closeIcon from '@vscode/codicons/src/icons/close.svg';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Turn } from '../../shared/view/viewModel';
import { withKey } from '../base/format';
import { t } from '../base/l10n';
import { FilterInput } from '../components/FilterInput';
import { IconButton } from '../components/IconButton';
import { useFocusReturn } from '../page/useFocusReturn';
import { createRows, filterRows, type TimelineRow } from './timelineRows';
import { useHeadings } from './useHeadings';

interface Props {
  /** A new object each time that the list is to get the focus. */
  readonly request: object;
  readonly content: RefObject<HTMLElement | null>;
  readonly turns: readonly Turn[];
  readonly earlier: boolean;
  /** ID of the question in sight. */
  readonly current: string | undefined;
  readonly onGo: (row: TimelineRow) => void;
  readonly onClose: () => void;
}

/** Rows that are rendered above and below those in sight. */
const MARGIN_ROWS = 8;
const ROWS_ID = 'timeline-rows';
const getRowId = ({ id }: TimelineRow) => `timeline-${id}`;

/** The list of questions and headings with its filter. Only the rows in sight are rendered. */
export function TimelineList({ request, content, turns, earlier, current, onGo, onClose }: Props) {
  const focusReturn = useFocusReturn('.timeline');
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState('');
  /** ID of the row that keys apply to; by default the question in sight, and in a filtered list the first row. */
  const [chosen, setChosen] = useState<string>();
  const [view, setView] = useState({ top: 0, height: 0, rowHeight: 22 });
  const headings = useHeadings(content);
  const all = useMemo(() => createRows(turns, headings), [turns, headings]);
  const rows = useMemo(() => filterRows(all, filter), [all, filter]);
  const wanted = chosen ?? (filter === '' ? current : undefined);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === wanted),
  );
  const active = rows[at];

  const { top, height, rowHeight } = view;
  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN_ROWS);
  const end = Math.ceil((top + height) / rowHeight) + MARGIN_ROWS;
  const rendered = rows.slice(first, end).map((row, index) => ({ row, index: first + index }));
  // The text box refers to the active row.
  if (active && (at < first || at >= end)) rendered.push({ row: active, index: at });

  useLayoutEffect(() => {
    focusReturn.remember();
    input.current?.focus();
    input.current?.select();
  }, [request]);
  useLayoutEffect(() => {
    const { current: element } = list;
    if (!element) return;
    const update = () =>
      setView({ top: element.scrollTop, height: element.clientHeight, rowHeight: getRowHeight(element) });
    element.addEventListener('scroll', update, { passive: true });
    const observer = new ResizeObserver(update);
    observer.observe(element);
    update();
    return () => {
      element.removeEventListener('scroll', update);
      observer.disconnect();
    };
  }, []);
  const isScrolled = useRef(false);
  useLayoutEffect(() => {
    const { current: element } = list;
    if (!element) return;
    const rowTop = at * rowHeight;
    const { scrollTop, clientHeight } = element;
    // Center the row at first, and later scroll no further than needed.
    if (!isScrolled.current) element.scrollTop = rowTop - clientHeight / 2;
    else if (rowTop < scrollTop) element.scrollTop = rowTop;
    else if (rowTop + rowHeight > scrollTop + clientHeight)
      element.scrollTop = rowTop + rowHeight - clientHeight;
    isScrolled.current = active !== undefined && clientHeight > 0;
  }, [active?.id, at, filter, rowHeight]);

  const cancel = () => {
    onClose();
    focusReturn.restore();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const rowsInSight = Math.max(1, Math.floor(height / rowHeight) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: rowsInSight, PageUp: -rowsInSight }[event.key];
    const inFilter = event.target === input.current;
    if (event.key === 'Escape') cancel();
    else if (inFilter && step) setChosen(getNext(rows, at, step)?.id);
    else if (inFilter && event.key === 'Enter') active && onGo(active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the text box and the button in it.
    <div class="timeline-list" onKeyDown={onKeyDown}>
      <div class="timeline-head">
        <FilterInput
          input={input}
          name={t('Filter questions and headings')}
          popup="tree"
          rows={ROWS_ID}
          active={active && getRowId(active)}
          value={filter}
          onFilter={(text) => {
            setFilter(text);
            setChosen(undefined);
          }}
        />
        <IconButton
          icon={closeIcon}
          name={t('Close')}
          title={withKey(t('Close'), 'Escape')}
          keepsFocus
          onClick={cancel}
        />
      </div>
      {earlier && (
        <p class="timeline-earlier" role="status">
          <span class="spinner" />
          {t('Loading earlier messages…')}
        </p>
      )}
      <div class="timeline-rows" id={ROWS_ID} role="tree" aria-label={t('Questions and Headings')} ref={list}>
        <div role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
          {rendered.map(({ row, index }) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text box handles the keys.
            <div
              key={row.id}
              id={getRowId(row)}
              class={row.level === 1 ? 'timeline-row' : 'timeline-row heading'}
              role="treeitem"
              tabIndex={-1}
              aria-level={row.level}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              aria-selected={index === at}
              aria-current={row.id === current ? 'location' : undefined}
              title={row.text}
              style={{ top: `${index * rowHeight}px`, paddingInlineStart: `${row.level * 12 - 2}px` }}
              // Keeps the focus in the box.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onGo(row)}
            >
              <bdi>{row.text}</bdi>
            </div>
          ))}
        </div>
      </div>
      {rows.length === 0 && (
        <p class="list-none" role="status">
          {all.length === 0 ? t('No questions yet.') : t('No matching results.')}
        </p>
      )}
    </div>
  );
}

/** Returns the row that many steps away; one step beyond an end is the other one. */
function getNext(rows: readonly TimelineRow[], at: number, step: number): TimelineRow | undefined {
  const last = rows.length - 1;
  const next = at + step;
  if (Math.abs(step) > 1) return rows[Math.min(last, Math.max(0, next))];
  return rows.at(next > last ? 0 : next);
}

function getRowHeight(list: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(list).lineHeight) || 22;
}
