import { getLastFocused } from '../base/lastFocus';

/** Moves the focus to the transcript; returns false if there is none. */
export function focusTranscript(): boolean {
  const transcript = document.querySelector<HTMLElement>('.transcript');
  transcript?.focus();
  return transcript !== null;
}

/**
 * Moves the focus to the next (1) or previous (-1) turn: relative to the focused turn, to the visible ones if the transcript
 * has the focus, otherwise to the end. Returns false if there is no further turn.
 */
export function focusTurn(step: 1 | -1): boolean {
  const transcript = document.querySelector<HTMLElement>('.transcript');
  if (!transcript) return false;
  const turns = [...transcript.querySelectorAll<HTMLElement>('article')];
  const turn = turns[getNextIndex(turns, transcript, step)];
  if (!turn) return false;
  turn.focus({ preventScroll: true });
  // A turn that is taller than the panel is shown from its start.
  turn.scrollIntoView({ block: turn.offsetHeight > transcript.clientHeight ? 'start' : 'nearest' });
  return true;
}

function getNextIndex(turns: readonly HTMLElement[], transcript: HTMLElement, step: 1 | -1): number {
  const focused = getLastFocused();
  const now = focused ? turns.findIndex((turn) => turn.contains(focused)) : -1;
  // There is nothing before the first turn.
  if (now >= 0) return Math.max(0, now + step);
  if (focused !== transcript) return step > 0 ? turns.length : turns.length - 1;
  const { top } = transcript.getBoundingClientRect();
  const inSight = turns.findIndex((turn) => turn.getBoundingClientRect().bottom > top + 1);
  return step > 0 ? inSight : Math.max(0, inSight - 1);
}
