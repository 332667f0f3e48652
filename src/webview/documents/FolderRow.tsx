import folderIcon from '@vscode/codicons/src/icons/folder.svg';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { usePage } from '../page/pageServices';

/** The folder on the service that files are uploaded to; a row of the grid, so that the arrow keys reach it. */
export function FolderRow({ name }: { readonly name: string }) {
  const page = usePage();
  return (
    <div class="document folder" role="row">
      <div class="document-main" role="gridcell">
        <button
          type="button"
          class="document-open"
          title={t('Upload Folder…')}
          onClick={() => page.post({ type: 'chooseUploadFolder' })}
        >
          <Icon file={folderIcon} />
          <span class="document-name">
            {name === '' ? t('Upload Folder…') : t('Folder: {0}', escapeInvisible(name))}
          </span>
        </button>
      </div>
    </div>
  );
}
