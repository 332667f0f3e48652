/** What is put behind a terminal's prompt. */
export interface TerminalInput {
  readonly text: string;
  /** Whether it has to go in as a paste, which a shell takes as one piece: a shell acts on each line end and tab that is typed. */
  readonly paste: boolean;
}

/**
 * What a terminal takes for more than text, however it is put in: bash and zsh run a line at U+000F (Ctrl+O), and U+001B ends a
 * bracketed paste in terminals before xterm.js 6.1. Tabs and line ends stay.
 */
const TERMINAL_CONTROL = /[^\P{Cc}\t\r\n]|[\u2028\u2029]/u;

/** The first character of the commands that no terminal may get, as `U+000F`. */
export function findTerminalControl(commands: string): string | undefined {
  const [character] = TERMINAL_CONTROL.exec(commands) ?? [];
  return character && `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** How commands without such characters are put in. Line ends become line feeds: VS Code's question about several lines knows no others. */
export function toTerminalInput(commands: string): TerminalInput {
  const text = commands.trim().replace(/\r\n?/g, '\n');
  return { text, paste: /[\n\t]/.test(text) };
}
