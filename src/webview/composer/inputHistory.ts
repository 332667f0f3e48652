import type { PanelController } from '../page/panelController';
import type { Composer } from '../page/state';

/** Recalls past messages with the arrow keys, starting from an empty composer; Escape leaves. Ignores IME composition. */
export function handleHistoryKey(
  event: KeyboardEvent,
  page: PanelController,
  { text, recalledId, editing }: Composer,
): void {
  const { key, isComposing, keyCode, shiftKey, altKey, ctrlKey, metaKey } = event;
  if (isComposing || keyCode === 229 || shiftKey || altKey || ctrlKey || metaKey) return;
  const box = event.currentTarget as HTMLTextAreaElement;
  if (key === 'Escape' && recalledId !== undefined) {
    event.preventDefault();
    page.clearText();
    return;
  }
  const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[key];
  if (!step || editing || (recalledId === undefined && (text !== '' || step > 0))) return;
  const recall = () => {
    if (!page.recallMessage(step)) return;
    // Put the caret at the start or end, so that the next key goes on to the next message.
    const caret = step < 0 && !isOneLine(box) ? 0 : box.value.length;
    box.setSelectionRange(caret, caret);
  };
  if (isOneLine(box)) {
    event.preventDefault();
    recall();
    return;
  }
  // In several lines the caret moves first; only the browser knows whether it can.
  const { selectionStart } = box;
  setTimeout(() => {
    if (box.value === text && box.selectionStart === selectionStart) recall();
  });
}

function isOneLine(box: HTMLTextAreaElement): boolean {
  const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(box);
  const height = box.scrollHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
  return height < 2 * Number.parseFloat(lineHeight);
}
