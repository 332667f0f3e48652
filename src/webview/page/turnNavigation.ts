import { getLastFocused } from '../base/lastFocus';

/** Moves the keyboard to the transcript; false where there is none. */
export function focusTranscript(): boolean {
  const transcript = document.querySelector<HTMLElement>('.transcript');
  transcript?.focus();
  return transcript !== null;
}

/**
 * Moves the keyboard to the next turn (1) or the one before (-1): from a turn on, from what is in sight where the transcript
 * has the focus, else from below the last. False where there is no turn further down.
 */
export function focusTurn(step: 1 | -1): boolean {
  const transcript = document.querySelector<HTMLElement>('.transcript');
  if (!transcript) return false;
  const turns = [...transcript.querySelectorAll<HTMLElement>('article')];
  const turn = turns[getNextIndex(turns, transcript, step)];
  if (!turn) return false;
  turn.focus({ preventScroll: true });
  // What is longer than the panel is read from its beginning.
  turn.scrollIntoView({ block: turn.offsetHeight > transcript.clientHeight ? 'start' : 'nearest' });
  return true;
}

function getNextIndex(turns: readonly HTMLElement[], transcript: HTMLElement, step: 1 | -1): number {
  const focused = getLastFocused();
  const now = focused ? turns.findIndex((turn) => turn.contains(focused)) : -1;
  // Before the first there is none to go to.
  if (now >= 0) return Math.max(0, now + step);
  if (focused !== transcript) return step > 0 ? turns.length : turns.length - 1;
  const { top } = transcript.getBoundingClientRect();
  const inSight = turns.findIndex((turn) => turn.getBoundingClientRect().bottom > top + 1);
  return step > 0 ? inSight : Math.max(0, inSight - 1);
}
