import { getPluralMessage } from '../../shared/plural';

/** VS Code's language, which the host writes into the page; there is no page in unit tests. */
export const language = globalThis.document?.documentElement.lang || 'en';

const translations = globalThis.document?.getElementById('l10n')?.textContent;
/** By English message; the host writes none into an English page. */
const bundle: Readonly<Record<string, string>> = translations ? JSON.parse(translations) : {};

/** A message in VS Code's language, its `{0}` and so on replaced by the arguments, as `vscode.l10n.t` does. */
export function t(message: string, ...args: readonly (string | number)[]): string {
  const said = bundle[message] ?? message;
  if (args.length === 0) return said;
  return said.replace(/\{(\d+)\}/g, (place, index) => `${args[index] ?? place}`);
}

/** The message for a count, which is `{0}` in it, in the digits of VS Code's language. */
export function plural(count: number, one: string, other: string): string {
  return t(getPluralMessage(language, count, one, other), formatCount(count));
}

const numbers = new Intl.NumberFormat(language);

/** A count in the digits of VS Code's language. */
export function formatCount(count: number): string {
  return numbers.format(count);
}
