import { Icon } from '../base/icons';

interface Props {
  readonly icon: string;
  readonly name: string;
  /** What it says to the pointer, where that is more than its name. */
  readonly title?: string;
  readonly onClick: () => void;
  readonly class?: string;
  readonly disabled?: boolean;
  /** By the pointer it takes no focus: what it opens gives it back to where it was. */
  readonly keepsFocus?: boolean;
}

export function IconButton({ icon, name, title = name, onClick, class: extra, disabled, keepsFocus }: Props) {
  return (
    <button
      type="button"
      class={`icon-button ${extra ?? ''}`}
      aria-label={name}
      title={title}
      disabled={disabled}
      onMouseDown={keepsFocus ? (event) => event.preventDefault() : undefined}
      onClick={onClick}
    >
      <Icon file={icon} />
    </button>
  );
}
