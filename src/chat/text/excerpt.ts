import { toFencedBlock } from './fences';

/** A part of a file that is inserted into a message. Line numbers start at 1. */
export interface Excerpt {
  readonly path: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** VS Code's language ID. */
  readonly language: string;
  readonly text: string;
}

/** Returns `path:lines` and the text in a fenced block. */
export function formatExcerpt({ path, firstLine, lastLine, language, text }: Excerpt): string {
  const lines = lastLine > firstLine ? `${firstLine}-${lastLine}` : `${firstLine}`;
  return `${path}:${lines}\n${toFencedBlock(text, language === 'plaintext' ? '' : language)}`;
}
