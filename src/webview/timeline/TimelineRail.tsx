import listTreeIcon from '@vscode/codicons/src/icons/list-tree.svg';
import { useRef } from 'preact/hooks';
import type { Turn } from '../../shared/view/viewModel';
import { t } from '../base/l10n';
import { useRovingTabIndex } from '../base/roving';
import { IconButton } from '../components/IconButton';
import { getQuestion, type TimelineRow } from './timelineRows';

interface Props {
  readonly turns: readonly Turn[];
  /** ID of the question in sight. */
  readonly current: string | undefined;
  readonly onGo: (row: TimelineRow) => void;
  readonly onOpen: () => void;
}

/** Maximum number of questions in the rail; the list has all of them. */
const MAX_TICKS = 24;

/** A tick beside the transcript for each of the questions around the one in sight. */
export function TimelineRail({ turns, current, onGo, onOpen }: Props) {
  const rail = useRef<HTMLDivElement>(null);
  useRovingTabIndex(rail);
  const questions = turns.filter((turn) => turn.kind === 'message').map(getQuestion);
  const at = questions.findIndex(({ id }) => id === current);
  const first = Math.max(0, Math.min(at - MAX_TICKS / 2, questions.length - MAX_TICKS));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...(rail.current?.querySelectorAll('button') ?? [])];
    buttons[buttons.indexOf(event.target as HTMLButtonElement) + step]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: moves the focus between its buttons.
    <div class="timeline-rail" ref={rail} onKeyDown={onKeyDown}>
      <IconButton icon={listTreeIcon} name={t('Show Timeline')} keepsFocus onClick={onOpen} />
      {questions.slice(first, first + MAX_TICKS).map((question) => (
        <button
          key={question.id}
          type="button"
          class="timeline-tick"
          aria-label={question.text}
          title={question.text}
          aria-current={question.id === current ? 'location' : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onGo(question)}
        />
      ))}
    </div>
  );
}
