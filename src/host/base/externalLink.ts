import * as vscode from 'vscode';
import { confirm, showWarning } from './dialogs';

const { t } = vscode.l10n;

/** Opens `https:` and `mailto:` links after a confirmation; anything else stays closed. */
export async function openLink(href: string): Promise<void> {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (!url) {
    void showWarning(t('This link is not a valid address.'));
    return;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'mailto:') {
    void showWarning(t('Parley opens only https: and mailto: links.'));
    return;
  }
  // VS Code asks by itself about addresses of the web only.
  if (url.protocol === 'mailto:') {
    const open = t('Open');
    if ((await confirm(t('Open this link in your mail program?'), [url.href], open)) !== open) return;
  }
  await vscode.env.openExternal(toExternal(url));
}

/**
 * The address as a browser reads it, so that what was checked is what opens. VS Code takes a string as well, and opens that as it is;
 * of a `Uri` it undoes `%26`, `%2F` and `%2B` and encodes `%23` once more, so that signed addresses break.
 */
function toExternal({ href }: URL): vscode.Uri {
  return href as unknown as vscode.Uri;
}
