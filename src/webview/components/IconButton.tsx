import { Icon } from '../base/icons';

interface Props {
  /** Undefined while the button is not shown. */
  readonly icon: string | undefined;
  readonly name: string;
  /** Tooltip, if it differs from the name. */
  readonly title?: string;
  readonly onClick: () => void;
  readonly class?: string;
  readonly disabled?: boolean;
  /** Whether a click leaves the focus where it is, so that closing what it opens can return there. */
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
      {icon !== undefined && <Icon file={icon} />}
    </button>
  );
}
