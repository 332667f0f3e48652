import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { Icon } from '../base/icons';

export interface CompletionItem {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly icon?: string;
  /** Its kind, for screen readers, if the name doesn't tell. */
  readonly kind?: string;
  /** Its effect when accepted. */
  readonly result?: { readonly label: string; readonly title: string };
}

interface Props<T> {
  /** The text box that keeps the focus. */
  readonly box: HTMLElement;
  readonly label: string;
  readonly items: readonly T[];
  /** Shown while there are no items; required then. */
  readonly emptyText?: string;
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
  emptyText,
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
    if (items.length > 0) box.setAttribute('aria-activedescendant', getOptionId(at));
    else box.removeAttribute('aria-activedescendant');
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
      else if (key !== 'Enter' && key !== 'Tab') return;
      else if (item) onAccept(item);
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
      {items.length === 0 && (
        <p class="widget list list-none" role="status">
          {emptyText}
        </p>
      )}
      <div
        class={items.length === 0 ? 'unseen' : 'widget list list-items'}
        id={LIST_ID}
        role="listbox"
        aria-label={label}
        aria-busy={items.length === 0}
        ref={list}
      >
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
            {item.icon !== undefined && <Icon file={item.icon} />}
            <bdi class="list-name">{escapeInvisible(item.name)}</bdi>
            {item.kind !== undefined && <span class="unseen">{item.kind}</span>}
            {item.description !== undefined && (
              <bdi class="list-bot" title={escapeInvisible(item.description)}>
                {escapeInvisible(item.description)}
              </bdi>
            )}
            {item.result && (
              <span class="list-age list-result" title={item.result.title}>
                <span aria-hidden="true">{item.result.label}</span>
                <span class="unseen">{item.result.title}</span>
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
