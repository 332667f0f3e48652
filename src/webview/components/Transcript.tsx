import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Turn } from '../../shared/conversation';
import { Follower } from '../follow';
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

export function Transcript({ conversationId, turns, sends }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<Follower | undefined>(undefined);
  const [following, setFollowing] = useState(true);

  // Before the first paint, so that the start of a conversation never flashes by.
  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return;
    const created = new Follower(scroller.current, content.current, setFollowing);
    follower.current = created;
    return () => created.dispose();
  }, []);
  // Who sends a message wants to see it.
  useLayoutEffect(() => follower.current?.toEnd(), [sends]);

  const sections = Array.from({ length: Math.ceil(turns.length / SECTION) }, (_, index) =>
    turns.slice(index * SECTION, (index + 1) * SECTION),
  );
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
            <Section key={index} conversationId={conversationId} turns={section} />
          ))}
        </div>
      </div>
      {!following && (
        <button type="button" class="jump" onClick={() => follower.current?.toEnd()}>
          <Icon name="arrowDown" />
          {strings.jumpToEnd}
        </button>
      )}
    </main>
  );
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
