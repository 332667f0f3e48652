import { toPlainText } from '../../client/plainText';

/** In code points; VS Code truncates notifications at the same length. */
const MAX_TEXT_LENGTH = 1000;

/**
 * Makes text safe for VS Code's own UI: one line, no control, bidirectional or invisible characters, and no
 * links. VS Code turns `[label](command:…)` into a link in notifications, prompts and validation messages,
 * and runs the command on click; its grammar (`linkedText.ts`) has no link without `](`.
 */
export function toInertText(text: string): string {
  return toPlainText(text.replace(/[\s\u0085]+/g, ' '), MAX_TEXT_LENGTH).replaceAll('](', '] (');
}

/**
 * Like `toInertText`, for labels in which VS Code renders `$(name)` as an icon: quick pick and status bar
 * items.
 */
export function toInertLabel(text: string): string {
  return toInertText(text).replaceAll('$(', '\\$(');
}
