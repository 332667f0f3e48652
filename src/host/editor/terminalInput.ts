/** Text to insert at a terminal's prompt. */
export interface TerminalInput {
  readonly text: string;
  /**
   * Whether the text must be pasted: a shell acts on each line break and tab that is typed, but not on those
   * in a paste.
   */
  readonly paste: boolean;
}

/**
 * Characters that a terminal acts on even in a paste: bash and zsh run a line at U+000F (Ctrl+O), and U+001B
 * ends a bracketed paste in terminals before xterm.js 6.1. Tabs and line breaks are not included.
 */
const TERMINAL_CONTROL = /[^\P{Cc}\t\r\n]|[\u2028\u2029]/u;

/** Finds the first control character in the commands that must not be inserted, formatted as `U+000F`. */
export function findTerminalControl(commands: string): string | undefined {
  const [character] = TERMINAL_CONTROL.exec(commands) ?? [];
  return character && `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Converts commands without such characters to input for a terminal. Line breaks become line feeds, the only
 * ones that VS Code's warning about multiple lines detects.
 */
export function toTerminalInput(commands: string): TerminalInput {
  const text = commands.trim().replace(/\r\n?/g, '\n');
  return { text, paste: /[\n\t]/.test(text) };
}
