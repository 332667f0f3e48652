/** Creates a data element with the translations for the page's `l10n.ts`; empty without translations. */
export function createTranslationsElement(
  translations: Readonly<Record<string, string>> | undefined,
  nonce: string,
): string {
  if (!translations) return '';
  // Without `<`, no text can end the element.
  const json = JSON.stringify(translations).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="l10n" nonce="${nonce}">${json}</script>\n`;
}
