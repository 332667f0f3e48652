import type { BotDocument } from '../bots/bot';

/** A document whose bytes are text. */
export interface TextDocument {
  readonly id: string;
  /** The original name: `app.ts` for the upload `app.ts.txt`. */
  readonly name: string;
  readonly lines: readonly string[];
  /** The fenced block's language for code; undefined for prose. */
  readonly language: string | undefined;
}

/** The rest of a longer document is ignored, so that answers stay fast. */
const MAX_BYTES = 1_000_000;

const prose = new Set(['txt', 'md', 'markdown', 'rst', 'adoc', 'log', '']);

const aliases: Readonly<Record<string, string>> = {
  mts: 'ts',
  cts: 'ts',
  mjs: 'js',
  cjs: 'js',
  h: 'c',
  hpp: 'cpp',
  cc: 'cpp',
  yml: 'yaml',
  bash: 'sh',
  zsh: 'sh',
  htm: 'html',
  dockerfile: 'dockerfile',
  makefile: 'makefile',
};

const languages = new Set(
  (
    'ts tsx js jsx py rb rs go java kt swift c cpp cs php sh ps1 sql html css scss less json jsonc yaml toml xml ' +
    'vue svelte lua r pl ex exs erl hs clj scala dart zig proto graphql tf ini csv diff dockerfile makefile'
  ).split(' '),
);

const cache = new WeakMap<Buffer, TextDocument>();

/** Returns the document as text; undefined if it has a binary format. */
export function readText({ id, name: uploadName, bytes }: BotDocument): TextDocument | undefined {
  const cached = cache.get(bytes);
  if (cached?.id === id) return cached;
  const text = decode(bytes.subarray(0, MAX_BYTES));
  if (text === undefined) return undefined;
  const name = getOriginalName(uploadName);
  const lines = text.replace(/\n$/, '').split(/\r\n|\r|\n/);
  const document = { id, name, lines, language: getLanguage(name) };
  cache.set(bytes, document);
  return document;
}

function decode(bytes: Buffer): string | undefined {
  if (/^(%PDF|\{\\rtf)/.test(bytes.toString('latin1', 0, 8)) || bytes.includes(0)) return undefined;
  try {
    // `stream`: a character that the limit cuts in two is no error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Removes the `.txt` that was added to a source file for the upload. */
export function getOriginalName(uploadName: string): string {
  const inner = uploadName.replace(/\.txt$/i, '');
  const language = getLanguage(inner);
  return inner !== uploadName && (language || /\.(md|markdown|rst|log)$/i.test(inner)) ? inner : uploadName;
}

function getLanguage(name: string): string | undefined {
  const extension = (/\.([^.]+)$/.exec(name)?.[1] ?? name).toLowerCase();
  const language = aliases[extension] ?? extension;
  return !prose.has(extension) && languages.has(language) ? language : undefined;
}
