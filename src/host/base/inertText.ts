import { toPlainText } from '../../client/plainText';

/** In code points; VS Code truncates notifications at the same length. */
const MAX_TEXT_LENGTH = 1000;

declare const inert: unique symbol;
declare const inertLabel: unique symbol;

/** Text that `toInertText` made safe for VS Code's own UI; nothing else makes it. */
export type InertText = string & { readonly [inert]: true };

/** Text that `toInertLabel` made safe for labels with icons as well; nothing else makes it. */
export type InertLabel = InertText & { readonly [inertLabel]: true };

/**
 * Makes text safe for VS Code's own UI: one line, no control, bidirectional or invisible characters, and no
 * links. VS Code turns `[label](command:…)` into a link in notifications, prompts and validation messages,
 * and runs the command on click; its grammar (`linkedText.ts`) has no link without `](`.
 */
export function toInertText(text: string): InertText {
  return toPlainText(text.replace(/[\s\u0085]+/g, ' '), MAX_TEXT_LENGTH).replaceAll('](', '] (') as InertText;
}

/**
 * Like `toInertText`, for labels in which VS Code renders `$(name)` as an icon: quick pick and status bar
 * items.
 */
export function toInertLabel(text: string): InertLabel {
  return toInertText(text).replaceAll('$(', '\\$(') as InertLabel;
}

/** Makes each line safe, for the details of a dialog and for tooltips. */
export function toInertLines(lines: readonly string[]): InertText {
  return lines.map(toInertText).join('\n') as InertText;
}
