import * as v from 'valibot';
import { MAX_SOURCES, nameSchema } from '../../client/models';
import { botSchema, forkLinkSchema, id, time } from '../../shared/conversation/conversationSchemas';
import type { Conversation } from '../model/conversation';
import {
  documentProperties,
  interruptTurn,
  messageProperties,
  replyProperties,
  sourceSchema,
  type Turn,
} from '../model/turn';

/** The format version that this Parley writes and reads. */
const VERSION = 1;

/** Larger files are not read. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

/**
 * Why a file can't be imported. `where` is a path in the JSON such as `turns[2].at`; `detail` describes the
 * error there.
 */
export type ImportProblem =
  | { readonly code: 'tooLarge' | 'notText' | 'notParley' }
  | { readonly code: 'notJson'; readonly detail: string }
  | { readonly code: 'otherVersion'; readonly version: number }
  | { readonly code: 'invalid'; readonly where: string; readonly detail: string };

/** The only error that `importJson` throws. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly problem: ImportProblem;

  constructor(problem: ImportProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

const sources = v.pipe(
  v.array(v.object({ ...sourceSchema.entries, name: nameSchema })),
  v.transform((all) => all.slice(0, MAX_SOURCES)),
);

const turnSchema = v.variant('kind', [
  v.object(messageProperties.exported),
  v.object({ ...replyProperties.exported, bot: nameSchema, sources: v.exactOptional(sources) }),
  v.object({ ...documentProperties.exported, name: nameSchema }),
]);

/** Upper bound on imported forks; the page renders every one. */
const MAX_FORKS = 100;

/**
 * A link without the name of the other conversation, which isn't exported: the panel shows its current name if it
 * exists.
 */
const forkLink = v.omit(forkLinkSchema, ['name']);

/**
 * The format of an exported conversation. Properties that the schema doesn't name (the service's address, the
 * draft, where a file is on this machine, the names of other conversations) are neither written nor read. Times
 * are in ms since the epoch, sizes in bytes.
 */
const fileSchema = v.object({
  parley: v.literal(VERSION),
  conversation: v.object({
    id,
    name: nameSchema,
    bot: v.exactOptional(v.object({ id: botSchema.entries.id, name: nameSchema })),
    createdAt: time,
    forkedFrom: v.exactOptional(forkLink),
    forks: v.exactOptional(
      v.pipe(
        v.array(forkLink),
        v.transform((links) => links.slice(0, MAX_FORKS)),
      ),
    ),
  }),
  turns: v.array(turnSchema),
});

/** Serializes a conversation to a JSON file that `importJson` reads. */
export function exportJson(conversation: Conversation): string {
  const content = v.parse(fileSchema, { parley: VERSION, conversation, turns: conversation.turns });
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

/**
 * Reads a file written by `exportJson`; it is untrusted, so everything is validated. Unfinished turns are
 * ended. If the conversation already exists, the import is a copy with new IDs. Throws only ImportError.
 */
export function importJson(
  content: Uint8Array,
  exists: (id: string) => boolean,
): { readonly conversation: Conversation; readonly copied: boolean } {
  const { conversation: parsed, turns } = parseFile(content);
  const { forkedFrom, forks, ...conversation } = parsed;
  const copied = exists(conversation.id);
  const newIds = new Map(copied ? turns.map(({ id }) => [id, crypto.randomUUID()]) : []);
  const keepsId = !copied && UUID_PATTERN.test(conversation.id);
  const imported: Conversation = {
    ...conversation,
    id: keepsId ? conversation.id : crypto.randomUUID(),
    turns: replaceIds(turns.map(interruptTurn), newIds),
    ...(forkedFrom && { forkedFrom: { ...forkedFrom, name: '' } }),
    ...(forks && {
      forks: forks.map((fork) => ({ ...fork, name: '', turnId: newIds.get(fork.turnId) ?? fork.turnId })),
    }),
    draft: '',
    unread: false,
    pinned: false,
  };
  return { conversation: imported, copied };
}

/** The form of Parley's own IDs; an ID becomes a file name, so any other could be a path. */
const UUID_PATTERN = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

function parseFile(content: Uint8Array): v.InferOutput<typeof fileSchema> {
  const value = parseJson(content);
  const version = v.safeParse(v.object({ parley: v.number() }), value);
  if (!version.success) throw new ImportError({ code: 'notParley' });
  if (version.output.parley !== VERSION) {
    throw new ImportError({ code: 'otherVersion', version: version.output.parley });
  }
  const parsed = v.safeParse(fileSchema, value, { abortEarly: true });
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new ImportError({
      code: 'invalid',
      where: formatIssuePath(issue),
      detail: truncate(issue.message),
    });
  }
  const seen = new Set<string>();
  for (const [index, { id }] of parsed.output.turns.entries()) {
    if (seen.has(id)) {
      throw new ImportError({ code: 'invalid', where: `turns[${index}].id`, detail: 'Used twice' });
    }
    seen.add(id);
  }
  return parsed.output;
}

function parseJson(content: Uint8Array): unknown {
  if (content.byteLength > MAX_FILE_BYTES) throw new ImportError({ code: 'tooLarge' });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new ImportError({ code: 'notText' });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new ImportError({ code: 'notJson', detail: truncate(detail) });
  }
}

function formatIssuePath(issue: v.BaseIssue<unknown>): string {
  const keys = issue.path?.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return truncate(keys?.join('').replace(/^\./, '') ?? '');
}

/** Issues quote the file, which may contain anything. */
function truncate(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

function replaceIds(turns: readonly Turn[], ids: ReadonlyMap<string, string>): Turn[] {
  const renewed = (id: string) => ids.get(id) ?? id;
  return turns.map((turn) =>
    turn.kind === 'reply'
      ? { ...turn, id: renewed(turn.id), messageId: renewed(turn.messageId) }
      : { ...turn, id: renewed(turn.id) },
  );
}
