import { getPluralMessage } from '../../shared/text/localeText';

/** VS Code's language, which the host writes into the page. Unit tests have no document. */
export const language = globalThis.document?.documentElement.lang || 'en';

const translations = globalThis.document?.getElementById('l10n')?.textContent;
/** Translations by English message; empty for an English page. */
const bundle: Readonly<Record<string, string>> = translations ? JSON.parse(translations) : {};

/** Translates a message and replaces `{0}` and so on by the arguments, as `vscode.l10n.t` does. */
export function t(message: string, ...args: readonly (string | number)[]): string {
  const translated = bundle[message] ?? message;
  if (args.length === 0) return translated;
  return translated.replace(/\{(\d+)\}/g, (placeholder, index) => `${args[index] ?? placeholder}`);
}

/** Returns the message for a count, which replaces `{0}`, in the digits of VS Code's language; `args` replace `{1}` and so on. */
export function plural(count: number, one: string, other: string, ...args: readonly string[]): string {
  return t(getPluralMessage(language, count, one, other), formatCount(count), ...args);
}

const numbers = new Intl.NumberFormat(language);

/** Formats a count in the digits of VS Code's language. */
export function formatCount(count: number): string {
  return numbers.format(count);
}
