import * as vscode from 'vscode';
import { escapeInline } from '../../chat/export/exportMarkdown';
import { pickOne, showFeedback, showWarning } from '../base/dialogs';
import { joinSentences } from '../base/localizedText';
import { EXTENSION_ID, SET_UP_PATH } from '../base/names';
import type { ConfiguredService } from '../service/serviceList';
import { createSetUpQuery, parseSetUpLink, type SetUpLink, type SetUpLinkProblem } from './setUpLink';

const { t } = vscode.l10n;

const FEEDBACK_MS = 3000;

/** Returns why a set-up link is refused, one line each. */
export function formatSetUpProblem({
  problem,
  host = '',
}: Pick<Extract<SetUpLink, { ok: false }>, 'problem' | 'host'>): string[] {
  const texts: Record<SetUpLinkProblem, string> = {
    hasKey: t(
      'The link contains an API key, which Parley doesn’t accept. Everyone who has seen the link may know the key, so it is compromised: replace it at the service.',
    ),
    hasCredentials: t('The URL contains a user name or password. If they are real, change them.'),
    notHttps: t(
      '{0} would be reached without encryption. Only https: is allowed, except for this machine.',
      host,
    ),
    internationalHost: t(
      'The host {0} has characters that can look like those of another host. If you know the host, enter its URL with Parley: Add Service….',
      host,
    ),
    unusualHost: t('The host is written in an unusual way. Parley would connect to {0}.', host),
    linkLocal: t('The host {0} is only used for this machine’s own network.', host),
    otherVersion: t('The URL must end with the version that Parley knows, such as /api/v1.'),
    invalidUrl: t('The link has no valid service URL.'),
    invalidName: t('The link’s name for the service can’t be used: it could be taken for something else.'),
    invalidBot: t('The link’s bot ID isn’t valid.'),
    unknownPart: t('The link has parts that Parley doesn’t know.'),
    tooLong: t('The link is too long.'),
  };
  return [texts[problem], t('Nothing was stored or sent.')];
}

/** Copies a link that sets up a service, as a link or as Markdown. It never contains a key. */
export async function copySetUpLink({ name, host, baseUrl, botId }: ConfiguredService): Promise<void> {
  const query = createSetUpQuery({
    baseUrl,
    ...(name !== host && { name }),
    ...(botId !== undefined && { botId }),
  });
  const parsed = parseSetUpLink(query);
  if (!parsed.ok) {
    const [reason] = formatSetUpProblem(parsed);
    void showWarning(joinSentences(t('There is no set-up link for this service.'), reason));
    return;
  }
  const scheme = vscode.env.uriScheme;
  const link = vscode.Uri.from({ scheme, authority: EXTENSION_ID, path: SET_UP_PATH, query }).toString();
  const items = [
    { label: t('Link'), detail: link, text: link },
    {
      label: t('Markdown'),
      detail: t('For a wiki page'),
      text: `[${escapeInline(t('Connect Parley to {0}', name))}](${link})`,
    },
  ];
  const picked = await pickOne(items, {
    title: t('Copy Set-Up Link'),
    placeHolder: t('Select what to copy'),
  });
  if (!picked) return;
  await vscode.env.clipboard.writeText(picked.text);
  showFeedback(t('Copied. The link doesn’t contain the API key.'), FEEDBACK_MS);
}
