import * as vscode from 'vscode';
import { type BaseUrl, type BaseUrlProblem, parseBaseUrl } from '../../client/baseUrl';
import { createQuickPick, pickOne, setItems, showInputBox } from '../base/dialogs';

const { t } = vscode.l10n;

/** Services with the interface of docs/service.md that anyone can use. */
const KNOWN_SERVICES = [{ name: 'Cody AI', url: 'https://getcody.ai/api/v1' }];

/** Asks for the URL of a service; resolves to undefined if it was canceled. */
export async function pickBaseUrl(title: string, value: string): Promise<string | undefined> {
  const known = KNOWN_SERVICES.map(({ name, url }) => ({ label: name, description: url, url }));
  const other = { label: t('Other…'), description: t('Enter the URL of your service'), alwaysShow: true };
  const picked = await pickOneWithText<vscode.QuickPickItem & { url?: string }>(
    [...known, other],
    title,
    t('Select a service, or enter its URL'),
  );
  if (!picked) return undefined;
  if (picked.item.url !== undefined) return picked.item.url;
  const parsed = parseBaseUrl(picked.text);
  return parsed.ok ? chooseVersionPath(parsed) : enterBaseUrl(title, picked.text || value);
}

/** Asks for the base URL of a service; offers to add a missing version path. */
async function enterBaseUrl(title: string, value: string): Promise<string | undefined> {
  const options = {
    title,
    prompt: t('The base URL of your service, including the version path'),
    placeHolder: 'https://bots.example.com/api/v1',
    value,
    ignoreFocusOut: true,
  };
  const input = await showInputBox(options, (text) => {
    const parsed = parseBaseUrl(text.trim());
    return text.trim() === '' || parsed.ok ? undefined : formatUrlProblem(parsed.problem);
  });
  const parsed = parseBaseUrl(input?.trim() ?? '');
  return parsed.ok ? chooseVersionPath(parsed) : undefined;
}

/** Returns the URL; asks which one to use if it has no version path. */
async function chooseVersionPath(parsed: Extract<BaseUrl, { ok: true }>): Promise<string | undefined> {
  if (parsed.hasVersionPath) return parsed.url;
  const title = t('The URL has no version path. Which URL do you want to use?');
  const items = [parsed.withVersionPath, parsed.url].map((label) => ({ label }));
  return (await pickOne(items, { title, ignoreFocusOut: true }))?.label;
}

function formatUrlProblem(problem: BaseUrlProblem): string {
  switch (problem) {
    case 'notHttps':
      return t(
        'Use https: so that the API key can’t be intercepted; http: is only allowed for this machine.',
      );
    case 'hasCredentials':
      return t('Remove the user name and password. The API key is set separately.');
    case 'hasQuery':
    case 'hasFragment':
      return t('Remove “?” or “#” and everything after it.');
    default:
      return t('Enter a full URL, such as https://bots.example.com/api/v1');
  }
}

/** Lets the user pick one of the items; resolves to it and the text that was typed to find it. */
function pickOneWithText<T extends vscode.QuickPickItem>(
  items: readonly T[],
  title: string,
  placeholder: string,
): Promise<{ readonly item: T; readonly text: string } | undefined> {
  const pick = createQuickPick<T>(title, placeholder);
  pick.ignoreFocusOut = true;
  setItems(pick, items);
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const item = pick.selectedItems[0];
      resolve(item && { item, text: pick.value.trim() });
      pick.dispose();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
