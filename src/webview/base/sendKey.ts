import type { PanelState } from '../../shared/view/viewModel';

/** Returns whether a key press sends. Never during IME composition, where Enter picks a candidate (keyCode 229 in some). */
export function isSendKey(event: KeyboardEvent, sendWith: PanelState['sendWith']): boolean {
  if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return false;
  const control = event.ctrlKey || event.metaKey;
  return !event.shiftKey && !event.altKey && (sendWith === 'enter' || control);
}
