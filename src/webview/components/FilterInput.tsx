import type { RefObject } from 'preact';

interface Props {
  readonly input: RefObject<HTMLInputElement | null>;
  /** Name and placeholder. */
  readonly name: string;
  /** Role of the element with the rows. */
  readonly popup: 'grid' | 'tree';
  /** ID of the element with the rows. */
  readonly rows: string;
  /** ID of the active row. */
  readonly active: string | undefined;
  readonly value: string;
  readonly onFilter: (text: string) => void;
}

/** The text box of a quick pick: it keeps the focus while keys apply to the active row below it. */
export function FilterInput({ input, name, popup, rows, active, value, onFilter }: Props) {
  return (
    <input
      ref={input}
      class="list-filter"
      type="text"
      dir="auto"
      role="combobox"
      aria-expanded="true"
      aria-haspopup={popup}
      aria-controls={rows}
      aria-activedescendant={active}
      aria-label={name}
      placeholder={name}
      value={value}
      onInput={(event) => onFilter(event.currentTarget.value)}
    />
  );
}
