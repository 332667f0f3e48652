import type { Events } from '../base/events';
import type { HostEvents } from './hostConnection';
import { focusTranscript, focusTurn } from './turnNavigation';

/** Areas of the page that open, with the focus in them, when the host asks for it. */
const AREAS = ['showList', 'find', 'showTimeline'] as const;

export type FocusEvents = { readonly [K in (typeof AREAS)[number]]: undefined };

interface FocusTarget {
  readonly events: Pick<Events<FocusEvents>, 'fire'>;
  focusComposer(): void;
}

/** Moves the focus as the host's messages ask, and to the composer if what they ask for isn't there. */
export function handleFocusMessages(messages: Events<HostEvents>, target: FocusTarget): void {
  const ensureFocus = (hasMoved: boolean) => {
    if (!hasMoved) target.focusComposer();
  };
  messages.on('focusTranscript', () => ensureFocus(focusTranscript()));
  messages.on('previousTurn', () => ensureFocus(focusTurn(-1)));
  messages.on('nextTurn', () => ensureFocus(focusTurn(1)));
  for (const area of AREAS) messages.on(area, () => ensureFocus(target.events.fire(area, undefined)));
}
