import arrowDownIcon from '@vscode/codicons/src/icons/arrow-down.svg';
import type { RefObject, TargetedMouseEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Turn } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { importWithRetries } from '../base/importWithRetries';
import { plural, t } from '../base/l10n';
import { memo } from '../base/memo';
import type { FindWidget } from '../find/FindWidget';
import { ForkedFrom } from '../forks/forkLinks';
import { usePage } from '../page/pageServices';
import type { PageState } from '../page/state';
import { useIdleImport } from '../page/useIdleImport';
import { AutoScroller, type Away } from './autoScroll';
import { TurnView } from './Turn';
import { useReveal, useScrollAnchor } from './useScrollAnchor';

interface Props {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
  readonly sends: number;
  /** Count of turns added before the first ones. */
  readonly prepended: number;
  /** Whether there are turns before these. */
  readonly earlier: boolean;
  readonly reveal: PageState['reveal'];
}

/** Turns per section: a change renders only its section again, not the transcript. */
const TURNS_PER_SECTION = 32;
/** Turns rendered at first, from the end, if there are more than twice as many; earlier ones follow when idle. */
const INITIAL_TURNS = 8;
const SECTIONS_PER_IDLE = 2;

/** The turns of one conversation; for another conversation the component is created anew. */
export function Transcript({ conversationId, turns, sends, prepended, earlier, reveal }: Props) {
  const page = usePage();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const autoScroller = useRef<AutoScroller | undefined>(undefined);
  /** Notifies the button below the transcript, so that a growing reply renders nothing but the button. */
  const onAway = useRef<(away: Away) => void>(() => undefined);

  // Before the first paint, so that the start of the conversation doesn't flash.
  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return;
    const created = new AutoScroller(scroller.current, content.current, (away) => onAway.current(away));
    autoScroller.current = created;
    return () => created.dispose();
  }, []);
  // Scroll to a message that was just sent.
  const sendsBefore = useRef(sends);
  useLayoutEffect(() => {
    if (sends !== sendsBefore.current) autoScroller.current?.showSentMessage();
    sendsBefore.current = sends;
  }, [sends]);

  // Loaded when it's first opened.
  const [find, setFind] = useState<{ readonly Widget: typeof FindWidget }>();
  useLayoutEffect(
    () =>
      page.events.on('find', () => {
        const open = async () => {
          const { FindWidget } = await importWithRetries(() => import('../find/FindWidget'));
          setTimelineRequest(undefined);
          setFind({ Widget: FindWidget });
        };
        void page.showFailureOf(open());
      }),
    [page],
  );
  const Timeline = useIdleImport(async () => (await import('../timeline/Timeline')).Timeline, {
    timeout: 1000,
  });
  const [timelineRequest, setTimelineRequest] = useState<object>();
  const openTimeline = () => {
    // The find widget is in the same place.
    setFind(undefined);
    setTimelineRequest({});
  };
  useLayoutEffect(() => page.events.on('showTimeline', openTimeline), [page]);

  // Section 0 is the one rendered first: turns added before it get sections with negative numbers and change no other.
  const [initialOrigin] = useState(() => {
    const count = turns.length - prepended;
    return count <= 2 * INITIAL_TURNS ? 0 : count - INITIAL_TURNS;
  });
  const origin = initialOrigin + prepended;
  const lowest = -Math.ceil(origin / TURNS_PER_SECTION);
  const end = Math.ceil((turns.length - origin) / TURNS_PER_SECTION);
  const [first, drawFrom] = useFirstSection(scroller, lowest, end);
  const sections = Array.from({ length: end - first }, (_, index) => {
    const start = origin + (first + index) * TURNS_PER_SECTION;
    return { number: first + index, turns: turns.slice(Math.max(0, start), start + TURNS_PER_SECTION) };
  });
  useScrollAnchor(content, autoScroller);
  useReveal(reveal, turns, content, autoScroller, (at) =>
    drawFrom(Math.floor((at - origin) / TURNS_PER_SECTION)),
  );
  return (
    <main class="middle">
      <div
        class="transcript"
        role="log"
        aria-label={t('Conversation')}
        aria-live="off"
        tabIndex={0}
        ref={scroller}
        onContextMenu={updateMenuContext}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) page.focusComposer();
        }}
      >
        <div class="turns" ref={content}>
          {earlier && first === lowest && (
            <p class="earlier">
              <span class="spinner" />
              {t('Loading earlier messages…')}
            </p>
          )}
          {!earlier && first === lowest && <ForkedFrom />}
          {sections.map((section) => (
            <Section key={section.number} conversationId={conversationId} turns={section.turns} />
          ))}
        </div>
      </div>
      {/* If these followed the transcript without a parent, it would be a last child or not: a new style for all in it. */}
      <div>
        {find && (
          <find.Widget
            request={find}
            scroller={scroller}
            content={content}
            autoScroller={autoScroller}
            turns={turns}
            earlier={earlier}
            onClose={() => setFind(undefined)}
          />
        )}
        {Timeline && (
          <Timeline
            request={timelineRequest}
            scroller={scroller}
            content={content}
            autoScroller={autoScroller}
            turns={turns}
            earlier={earlier}
            onOpen={openTimeline}
            onClose={() => setTimelineRequest(undefined)}
          />
        )}
        <JumpToEnd onAway={onAway} onJump={() => autoScroller.current?.scrollToEnd()} />
      </div>
    </main>
  );
}

/**
 * Updates the context menu, which can copy a selection if there is one, and a link to the turn. Code blocks add their own
 * entries.
 */
function updateMenuContext({ currentTarget, target }: TargetedMouseEvent<HTMLElement>) {
  const selectsText = document.getSelection()?.type === 'Range';
  const turnId = target instanceof Element && target.closest<HTMLElement>('[data-turn]')?.dataset.turn;
  currentTarget.dataset.vscodeContext = JSON.stringify({ selectsText, ...(turnId && { turnId }) });
}

interface JumpProps {
  readonly onAway: { current: (away: Away) => void };
  readonly onJump: () => void;
}

/** Button that scrolls to the end, with the number of new lines there. */
function JumpToEnd({ onAway, onJump }: JumpProps) {
  const [{ away, newLines }, setAway] = useState<Away>({ away: false, newLines: 0 });
  onAway.current = setAway;
  if (!away) return null;
  return (
    <button type="button" class="jump" onClick={onJump}>
      <Icon file={arrowDownIcon} />
      {t('Scroll to Bottom')}{' '}
      {newLines > 0 && <span class="jump-new">{plural(newLines, '{0} new line', '{0} new lines')}</span>}
    </button>
  );
}

/** Returns the number of the first section to render, lowered until the panel is full, and whenever the page is idle. */
function useFirstSection(
  scroller: RefObject<HTMLElement | null>,
  lowest: number,
  end: number,
): [first: number, drawFrom: (first: number) => void] {
  const [first, setFirst] = useState(0);
  // Sections are never removed: the request may be based on an older state.
  const drawFrom = (number: number) => setFirst((now) => Math.min(now, number));
  // Before the paint, so that short turns don't move when those above them follow.
  useLayoutEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
    if (first > lowest && scrollHeight <= clientHeight) drawFrom(first - 1);
  }, [first, lowest]);
  useEffect(() => {
    if (first <= lowest) return;
    const idle = requestIdleCallback(() => drawFrom(Math.max(lowest, first - SECTIONS_PER_IDLE)), {
      timeout: 200,
    });
    return () => cancelIdleCallback(idle);
  }, [first, lowest]);
  return [Math.max(lowest, Math.min(first, end - 1)), drawFrom];
}

interface SectionProps {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
}

const Section = memo<SectionProps>(
  ({ conversationId, turns }) => (
    <div class="section">
      {turns.map((turn) => (
        <TurnView key={turn.id} conversationId={conversationId} turn={turn} />
      ))}
    </div>
  ),
  (before, after) =>
    before.conversationId === after.conversationId &&
    before.turns.length === after.turns.length &&
    before.turns.every((turn, index) => turn === after.turns[index]),
);
