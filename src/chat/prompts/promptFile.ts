import { toPlainText } from '../../client/plainText';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { parseFrontMatter } from '../text/frontMatter';

/** The largest prompt file that is read. */
export const MAX_PROMPT_BYTES = 64 * 1024;
export const PROMPT_EXTENSION = '.prompt.md';
/** In code points. */
export const MAX_PROMPT_NAME_LENGTH = 60;
const MAX_DESCRIPTION_LENGTH = 200;

/** A prompt file as VS Code's Chat reads it, without what only its agents need (agent, model, tools). */
export interface PromptFile {
  readonly name: string;
  readonly description?: string;
  /** A hint about the text to add. */
  readonly argumentHint?: string;
  readonly body: string;
}

/** Parses a prompt file. Files are untrusted: names are made plain, and invisible characters are spelled out. */
export function parsePromptFile(fileName: string, text: string): PromptFile {
  const { values, body } = parseFrontMatter(text);
  const description = toLine(values.get('description') ?? '', MAX_DESCRIPTION_LENGTH);
  const argumentHint = toLine(values.get('argument-hint') ?? '', MAX_DESCRIPTION_LENGTH);
  const baseName = fileName.endsWith(PROMPT_EXTENSION)
    ? fileName.slice(0, -PROMPT_EXTENSION.length)
    : fileName;
  return {
    name:
      toLine(values.get('name') ?? '', MAX_PROMPT_NAME_LENGTH) ||
      toLine(baseName, MAX_PROMPT_NAME_LENGTH) ||
      PROMPT_EXTENSION,
    ...(description !== '' && { description }),
    ...(argumentHint !== '' && { argumentHint }),
    body: escapeInvisible(body),
  };
}

/** Formats a prompt file that `parsePromptFile` reads. */
export function formatPromptFile({ name, body }: Pick<PromptFile, 'name' | 'body'>): string {
  return `---\nname: ${JSON.stringify(name)}\n---\n\n${body}\n`;
}

function toLine(text: string, maxLength: number): string {
  return toPlainText(text.replace(/\s+/g, ' '), maxLength);
}
