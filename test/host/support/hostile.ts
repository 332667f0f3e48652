import assert from 'node:assert/strict';

/**
 * VS Code's pattern for links in notifications, prompts and validation messages
 * (src/vs/base/common/linkedText.ts).
 */
export const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

/** Text with links, icons and hidden characters that VS Code would interpret. */
export const HOSTILE =
  '[Retry](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%5Cr%22%7D "Retry")' +
  ' [a](file:///etc/passwd)[b](https://evil.example) $(error) \u202egnp.exe\u2066 \u0007\u001b[31m\u{e0041}\u200b\u2028x';

// Callers split multi-line text first; zero-width joiners are part of emoji.
const NOT_INERT = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Fails if any text has a link, or a control or formatting character. */
export function assertInert(texts: readonly string[]): void {
  for (const text of texts) {
    assert.deepEqual(text.match(LINK), null, text);
    assert.doesNotMatch(text, NOT_INERT, JSON.stringify(text));
  }
}
