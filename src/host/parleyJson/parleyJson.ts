import { type ParseError, parse } from 'jsonc-parser';
import * as v from 'valibot';
import { toPlainText } from '../../client/plainText';
import { isBoundedGlob } from '../files/boundedGlob';
import { checkServiceUrl } from '../services/setUpLink';

/** The largest `.vscode/parley.json` that is read. */
export const MAX_PARLEY_JSON_BYTES = 256 * 1024;
export const MAX_BOTS = 200;
const MAX_GLOBS = 50;
const MAX_ID_LENGTH = 200;
const MAX_NAME_LENGTH = 60;

/** A bot that `.vscode/parley.json` names. */
export interface NamedBot {
  readonly id: string;
  readonly name?: string;
  /** Globs of the workspace's files, relative to its folder, whose questions go to this bot. */
  readonly globs: readonly string[];
}

/** What a workspace proposes in `.vscode/parley.json`. Untrusted: nothing of it is used before a person agrees. */
export interface ParleyJson {
  readonly service?: { readonly baseUrl: string; readonly name?: string };
  readonly bots: readonly NamedBot[];
}

const textSchema = v.pipe(v.string(), v.trim(), v.nonEmpty());
const serviceSchema = v.object({ baseUrl: textSchema, name: v.optional(v.string()) });
const botSchema = v.object({
  id: v.pipe(textSchema, v.maxLength(MAX_ID_LENGTH)),
  name: v.optional(v.string()),
  for: v.optional(v.array(v.unknown())),
});

/**
 * Parses `.vscode/parley.json`, with comments and trailing commas. Leaves out each part that isn't valid, and everything of a
 * text that isn't JSON.
 */
export function parseParleyJson(text: string): ParleyJson {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof value !== 'object' || value === null) return { bots: [] };
  const { service, bots } = value as { service?: unknown; bots?: unknown };
  const parsed = parseService(service);
  return {
    ...(parsed && { service: parsed }),
    bots: Array.isArray(bots) ? bots.slice(0, MAX_BOTS).flatMap((bot) => parseBot(bot) ?? []) : [],
  };
}

function parseService(value: unknown): ParleyJson['service'] {
  const { success, output } = v.safeParse(serviceSchema, value);
  if (!success) return undefined;
  // As strict as a set-up link: the user reads it only once.
  const url = checkServiceUrl(output.baseUrl);
  if (!('baseUrl' in url)) return undefined;
  const name = toName(output.name);
  return { baseUrl: url.baseUrl, ...(name !== undefined && { name }) };
}

function parseBot(value: unknown): NamedBot | undefined {
  const { success, output } = v.safeParse(botSchema, value);
  if (!success) return undefined;
  const name = toName(output.name);
  const globs = (output.for ?? []).slice(0, MAX_GLOBS).filter((glob) => typeof glob === 'string');
  return {
    id: output.id,
    ...(name !== undefined && { name }),
    globs: globs.filter((glob) => glob.trim() !== '' && isBoundedGlob(glob)),
  };
}

function toName(text: string | undefined): string | undefined {
  const name = toPlainText((text ?? '').replace(/\s+/g, ' '), MAX_NAME_LENGTH);
  return name === '' ? undefined : name;
}
