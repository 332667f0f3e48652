import * as vscode from 'vscode';
import { confirm, showWarning } from './dialogs';

const { t } = vscode.l10n;

/** Opens `https:` and `mailto:` links after a confirmation; refuses all others. */
export async function openLink(href: string): Promise<void> {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (!url) {
    void showWarning(t('This link is not a valid URL.'));
    return;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'mailto:') {
    void showWarning(t('Parley opens only https: and mailto: links.'));
    return;
  }
  // VS Code itself asks for confirmation of web links only.
  if (url.protocol === 'mailto:') {
    const open = t('Open');
    if ((await confirm(t('Open this link in your email app?'), [url.href], open)) !== open) return;
  }
  await vscode.env.openExternal(toExternal(url));
}

/**
 * Returns the normalized URL, so that the URL that was checked is the one that opens. VS Code also accepts a
 * string and opens it unchanged; in a `Uri` it decodes `%26`, `%2F` and `%2B` and encodes `%23` again, which
 * breaks signed URLs.
 */
function toExternal({ href }: URL): vscode.Uri {
  return href as unknown as vscode.Uri;
}
