import { fenced } from './fences';

/** A piece of a file, as it is put into a message. Lines count from 1. */
export interface Excerpt {
  readonly path: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** VS Code's language id. */
  readonly language: string;
  readonly text: string;
}

/** `path:lines` and a fenced block whose fence is longer than any in the text. */
export function fencedExcerpt({ path, firstLine, lastLine, language, text }: Excerpt): string {
  const lines = lastLine > firstLine ? `${firstLine}-${lastLine}` : `${firstLine}`;
  return `${path}:${lines}\n${fenced(text, language === 'plaintext' ? '' : language)}`;
}
