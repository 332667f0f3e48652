import { Icon } from '../base/icons';

interface Props {
  readonly icon: string;
  readonly name: string;
  /** Tooltip, if it differs from the name. */
  readonly title?: string;
  readonly onClick: () => void;
  readonly class?: string;
  readonly disabled?: boolean;
}

export function IconButton({ icon, name, title = name, onClick, class: extra, disabled }: Props) {
  return (
    <button
      type="button"
      class={`icon-button ${extra ?? ''}`}
      aria-label={name}
      title={title}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon file={icon} />
    </button>
  );
}
