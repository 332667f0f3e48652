import eyeIcon from '@vscode/codicons/src/icons/eye.svg';
import eyeClosedIcon from '@vscode/codicons/src/icons/eye-closed.svg';
import type { FocusState } from '../../shared/view/viewModel';
import { IconButton } from '../components/IconButton';
import { documentStrings as strings } from './documentStrings';

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
      name={isIncluded ? strings.excludeDocument : strings.includeDocument}
      onClick={() => onClick(!isIncluded)}
    />
  );
}
