import * as vscode from 'vscode';
import { isEmailLink, type SafeLink, toOpenableLink } from '../../shared/text/safeLink';
import { confirm, showWarning } from './dialogs';

const { t } = vscode.l10n;

/** Opens a foreign address: `https:` and `mailto:` links after a confirmation; refuses all others. */
export async function openLink(address: string): Promise<void> {
  const link = toOpenableLink(address);
  if (link !== undefined) await openSafeLink(link);
  else if (URL.canParse(address)) void showWarning(t('Parley opens only https: and mailto: links.'));
  else void showWarning(t('This link is not a valid URL.'));
}

/** Opens a link after a confirmation. */
export async function openSafeLink(link: SafeLink): Promise<void> {
  // VS Code itself asks for confirmation of web links only.
  if (isEmailLink(link)) {
    const open = t('Open');
    if ((await confirm(t('Open this link in your email app?'), [link], open)) !== open) return;
  }
  await vscode.env.openExternal(toExternal(link));
}

/**
 * VS Code also accepts a string and opens it unchanged; in a `Uri` it decodes `%26`, `%2F` and `%2B` and encodes `%23`
 * again, which breaks signed URLs.
 */
function toExternal(link: SafeLink): vscode.Uri {
  return link as string as unknown as vscode.Uri;
}
