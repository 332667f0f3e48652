import eyeIcon from '@vscode/codicons/src/icons/eye.svg';
import eyeClosedIcon from '@vscode/codicons/src/icons/eye-closed.svg';
import type { FocusState } from '../../shared/view/viewModel';
import { t } from '../base/l10n';
import { IconButton } from '../components/IconButton';

interface Props {
  readonly focus: FocusState;
  readonly onClick: (included: boolean) => void;
}

/** Excludes a document from answers, or includes it again. */
export function FocusButton({ focus, onClick }: Props) {
  const isIncluded = focus === 'included';
  return (
    <IconButton
      icon={isIncluded ? eyeIcon : eyeClosedIcon}
      name={isIncluded ? t('Exclude from Answers') : t('Include in Answers')}
      onClick={() => onClick(!isIncluded)}
    />
  );
}
