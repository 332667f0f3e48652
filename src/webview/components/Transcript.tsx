import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Turn } from '../../shared/conversation';
import { type Away, Follower } from '../follow';
import { Icon } from '../icons';
import { memo } from '../memo';
import { strings } from '../strings';
import { TurnView } from './Turn';

interface Props {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
  readonly sends: number;
}

/** Turns to a section: a change in one draws its section again, not the transcript. */
const SECTION = 32;
/** Sections drawn at once, from the end; earlier ones follow between frames, so that a long conversation opens like a short one. */
const AT_ONCE = 2;
const PER_PAUSE = 4;

/** The turns of one conversation; another conversation is another component. */
export function Transcript({ conversationId, turns, sends }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<Follower | undefined>(undefined);
  /** The button under the transcript hears of it, so that a growing reply draws nothing but the button. */
  const tellAway = useRef<(away: Away) => void>(() => undefined);

  // Before the first paint, so that the start of a conversation never flashes by.
  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return;
    const created = new Follower(scroller.current, content.current, (away) => tellAway.current(away));
    follower.current = created;
    return () => created.dispose();
  }, []);
  // Who sends a message wants to see it.
  const sendsBefore = useRef(sends);
  useLayoutEffect(() => {
    if (sends !== sendsBefore.current) follower.current?.fill();
    sendsBefore.current = sends;
  }, [sends]);

  const count = Math.ceil(turns.length / SECTION);
  const undrawn = useUndrawn(count);
  const sections = Array.from({ length: count - undrawn }, (_, index) => {
    const start = (undrawn + index) * SECTION;
    return turns.slice(start, start + SECTION);
  });
  return (
    <main class="middle">
      <div
        class="transcript"
        role="log"
        aria-label={strings.conversation}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        ref={scroller}
      >
        <div class="turns" ref={content}>
          {sections.map((section, index) => (
            <Section key={undrawn + index} conversationId={conversationId} turns={section} />
          ))}
        </div>
      </div>
      <JumpToEnd tellAway={tellAway} onJump={() => follower.current?.toEnd()} />
    </main>
  );
}

interface JumpProps {
  readonly tellAway: { current: (away: Away) => void };
  readonly onJump: () => void;
}

/** The way back to the end, with how much has come there since. */
function JumpToEnd({ tellAway, onJump }: JumpProps) {
  const [{ away, newLines }, setAway] = useState<Away>({ away: false, newLines: 0 });
  tellAway.current = setAway;
  if (!away) return null;
  return (
    <button type="button" class="jump" aria-label={strings.jumpToEnd} onClick={onJump}>
      <Icon name="arrowDown" />
      {strings.jumpToEnd}
      {newLines > 0 && <span class="jump-new">{strings.newLines(newLines)}</span>}
    </button>
  );
}

/** How many sections before the drawn ones are still to come; fewer whenever the page is idle. */
function useUndrawn(count: number): number {
  const [undrawn, setUndrawn] = useState(Math.max(0, count - AT_ONCE));
  useEffect(() => {
    if (undrawn === 0) return;
    const idle = requestIdleCallback(() => setUndrawn(Math.max(0, undrawn - PER_PAUSE)), { timeout: 200 });
    return () => cancelIdleCallback(idle);
  }, [undrawn]);
  return Math.min(undrawn, count);
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
