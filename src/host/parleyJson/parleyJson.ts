import { type ParseError, parse } from 'jsonc-parser';
import * as v from 'valibot';
import { toPlainText } from '../../client/plainText';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { isBoundedGlob } from '../files/boundedGlob';
import { checkServiceUrl, isNameOfOther } from '../setUp/setUpLink';

/** The largest `.vscode/parley.json` that is read. */
export const MAX_PARLEY_JSON_BYTES = 256 * 1024;
export const MAX_BOTS = 200;
const MAX_GLOBS = 50;
const MAX_ID_LENGTH = 200;
const MAX_NAME_LENGTH = 60;
const MAX_DESCRIPTION_LENGTH = 200;
const MAX_FOLDER_LENGTH = 200;
export const MAX_DOCUMENT_SETS = 20;
/** In all sets together: each file of the workspace is matched against all of them. */
const MAX_DOCUMENT_GLOBS = 50;

/** A bot that `.vscode/parley.json` names. */
export interface NamedBot {
  readonly id: string;
  readonly name?: string;
  /** What the bot knows, for agents, in a line. */
  readonly description?: string;
  /** Globs of the workspace's files, relative to its folder, whose questions go to this bot. */
  readonly globs: readonly string[];
}

/** Documents of the workspace that its bots should know. */
export interface DocumentSet {
  /** Globs, relative to the workspace folder; what begins with `!` is left out. */
  readonly files: readonly string[];
  /** The bot whose conversations they are for; absent for all bots. */
  readonly botId?: string;
  /** Name or ID of the folder on the service that they go to. */
  readonly folder?: string;
}

/** What a workspace proposes in `.vscode/parley.json`. Untrusted: nothing of it is used before the user agrees. */
export interface ParleyJson {
  readonly service?: { readonly baseUrl: string; readonly name?: string };
  readonly bots: readonly NamedBot[];
  readonly documents: readonly DocumentSet[];
}

const textSchema = v.pipe(v.string(), v.trim(), v.nonEmpty());
/** A text that is shown as it is and sent as it is, so nothing in it may be hidden. */
const plainSchema = v.pipe(
  textSchema,
  v.check((text) => escapeInvisible(text) === text && !/[\n\t]/.test(text)),
);
/** An ID needs no joiners and selectors, which can't be seen in it either. */
const idSchema = v.pipe(
  plainSchema,
  v.maxLength(MAX_ID_LENGTH),
  v.check((id) => !/\u200c|\u200d|\ufe0e|\ufe0f/.test(id)),
);
const serviceSchema = v.object({ baseUrl: textSchema, name: v.optional(v.string()) });
const botSchema = v.object({
  id: idSchema,
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  for: v.optional(v.array(v.unknown())),
});

const documentsSchema = v.object({
  files: v.union([v.string(), v.array(v.unknown())]),
  bot: v.optional(idSchema),
  folder: v.optional(v.pipe(plainSchema, v.maxLength(MAX_FOLDER_LENGTH))),
});

/**
 * Parses `.vscode/parley.json`, with comments and trailing commas. Leaves out each part that isn't valid, and everything of a
 * text that isn't JSON.
 */
export function parseParleyJson(text: string): ParleyJson {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof value !== 'object' || value === null) return { bots: [], documents: [] };
  const { service, bots, documents } = value as { service?: unknown; bots?: unknown; documents?: unknown };
  const parsed = parseService(service);
  return {
    ...(parsed && { service: parsed }),
    bots: Array.isArray(bots) ? bots.slice(0, MAX_BOTS).flatMap((bot) => parseBot(bot) ?? []) : [],
    documents: parseDocuments(documents),
  };
}

function parseService(value: unknown): ParleyJson['service'] {
  const { success, output } = v.safeParse(serviceSchema, value);
  if (!success) return undefined;
  // As strict as a set-up link: the user reads it only once.
  const url = checkServiceUrl(output.baseUrl);
  if (!('baseUrl' in url)) return undefined;
  const name = toName(output.name);
  const isOwn = name !== undefined && !isNameOfOther(name, url.baseUrl);
  return { baseUrl: url.baseUrl, ...(isOwn && { name }) };
}

function parseBot(value: unknown): NamedBot | undefined {
  const { success, output } = v.safeParse(botSchema, value);
  if (!success) return undefined;
  const name = toName(output.name);
  const description = toLine(output.description, MAX_DESCRIPTION_LENGTH);
  const globs = (output.for ?? []).slice(0, MAX_GLOBS).filter((glob) => typeof glob === 'string');
  return {
    id: output.id,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    globs: globs.filter((glob) => glob.trim() !== '' && isBoundedGlob(glob)),
  };
}

/** Parses one set of documents or several. */
function parseDocuments(value: unknown): DocumentSet[] {
  let globsLeft = MAX_DOCUMENT_GLOBS;
  const sets = Array.isArray(value) ? value : [value];
  return sets.slice(0, MAX_DOCUMENT_SETS).flatMap((set): DocumentSet[] => {
    const { success, output } = v.safeParse(documentsSchema, set);
    if (!success) return [];
    const globs = [output.files].flat().filter((glob) => typeof glob === 'string' && isGlobOfFolder(glob));
    const files = (globs as string[]).slice(0, globsLeft);
    globsLeft -= files.length;
    if (files.every((glob) => glob.startsWith('!'))) return [];
    const { bot, folder } = output;
    return [{ files, ...(bot !== undefined && { botId: bot }), ...(folder !== undefined && { folder }) }];
  });
}

/** Returns whether a glob can be matched in reasonable time, and stays in the workspace folder. */
function isGlobOfFolder(glob: string): boolean {
  const parts = glob.replace(/^!/, '').split('/');
  return (
    glob.trim() !== '' &&
    isBoundedGlob(glob) &&
    !/[\\\0]/.test(glob) &&
    parts.every((part) => !/^\.{0,2}$/.test(part))
  );
}

function toName(text: string | undefined): string | undefined {
  return toLine(text, MAX_NAME_LENGTH);
}

function toLine(text: string | undefined, maxLength: number): string | undefined {
  const line = toPlainText((text ?? '').replace(/\s+/g, ' '), maxLength);
  return line === '' ? undefined : line;
}
