import { toPlainText } from '../../client/plainText';

/** Code points; VS Code cuts a notification's text at the same length. */
const MAX_LENGTH = 1000;

/**
 * Makes text inert where VS Code itself shows it: on one line, without control, bidirectional and invisible characters, and without
 * links. VS Code makes a link of `[label](command:…)` in notifications, in prompts and in validation messages, and runs the
 * command at a click; its grammar (`linkedText.ts`) has no link without `](`.
 */
export function toInertText(text: string): string {
  return toPlainText(text.replace(/[\s\u0085]+/g, ' '), MAX_LENGTH).replaceAll('](', '] (');
}

/** The same for labels in which VS Code draws an icon for `$(name)`: those of quick picks and of the status bar. */
export function toInertLabel(text: string): string {
  return toInertText(text).replaceAll('$(', '\\$(');
}
