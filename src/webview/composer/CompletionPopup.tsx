import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { escapeInvisible } from '../base/format';

export interface CompletionItem {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

interface Props<T> {
  /** The text box that keeps the focus. */
  readonly box: HTMLElement;
  readonly label: string;
  /** At least one. */
  readonly items: readonly T[];
  readonly onAccept: (item: T) => void;
  readonly onClose: () => void;
}

const LIST_ID = 'completions';
const getOptionId = (index: number) => `completion-${index}`;

/**
 * A listbox above a text box, which keeps the focus: arrow keys choose an item, Enter and Tab accept it, Escape
 * closes the list. While it is open, the box doesn't get these keys.
 */
export function CompletionPopup<T extends CompletionItem>({
  box,
  label,
  items,
  onAccept,
  onClose,
}: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === chosen),
  );

  useLayoutEffect(() => {
    const attributes = { 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox', 'aria-controls': LIST_ID };
    for (const [name, value] of Object.entries(attributes)) box.setAttribute(name, value);
    return () => {
      for (const name of [...Object.keys(attributes), 'aria-activedescendant']) box.removeAttribute(name);
    };
  }, [box]);

  useLayoutEffect(() => {
    box.setAttribute('aria-activedescendant', getOptionId(at));
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [box, at, items]);

  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, isComposing, keyCode, shiftKey, altKey, ctrlKey, metaKey } = event;
      if (isComposing || keyCode === 229 || shiftKey || altKey || ctrlKey || metaKey) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      const item = items[at];
      if (step) setChosen(items.at((at + step) % items.length)?.id);
      else if (key === 'Escape') onClose();
      else if ((key === 'Enter' || key === 'Tab') && item) onAccept(item);
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    // Before the box's own listeners.
    box.addEventListener('keydown', onKeyDown, true);
    box.addEventListener('blur', onClose);
    return () => {
      box.removeEventListener('keydown', onKeyDown, true);
      box.removeEventListener('blur', onClose);
    };
  });

  return (
    <div class="completions">
      <div class="widget list list-items" id={LIST_ID} role="listbox" aria-label={label} ref={list}>
        {items.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text box handles the keys.
          <div
            key={item.id}
            id={getOptionId(index)}
            class="list-item"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            // Keeps the focus in the box.
            onMouseDown={(event) => event.preventDefault()}
            // A list that opens below a resting pointer keeps its first item.
            onMouseMove={() => setChosen(item.id)}
            onClick={() => onAccept(item)}
          >
            <bdi class="list-name">{escapeInvisible(item.name)}</bdi>
            {item.description !== undefined && (
              <bdi class="list-bot" title={escapeInvisible(item.description)}>
                {escapeInvisible(item.description)}
              </bdi>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
