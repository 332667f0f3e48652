import { Icon, type IconName } from '../icons';

interface Props {
  readonly icon: IconName;
  readonly name: string;
  readonly onClick: () => void;
  readonly class?: string;
  readonly disabled?: boolean;
}

export function IconButton({ icon, name, onClick, class: extra, disabled }: Props) {
  return (
    <button
      type="button"
      class={`icon-button ${extra ?? ''}`}
      aria-label={name}
      title={name}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
