import { parseBaseUrl } from '../../client/baseUrl';
import { toPlainText } from '../../client/plainText';
import { EXTENSION_ID } from '../base/names';

const MAX_ID_LENGTH = 1000;
/** In code points. */
const MAX_NAME_LENGTH = 100;
/** In code points. */
const MAX_PROMPT_LENGTH = 10_000;

/** What a link opens. Untrusted: it only names things. */
export interface ConversationLink {
  /** A conversation that is stored here: links made by older versions, and for what isn't on a service. */
  readonly localId?: string;
  /** A conversation of a service, which colleagues can open too. */
  readonly remote?: { readonly baseUrl: string; readonly id: string };
  /** The conversation's name when the link was made. */
  readonly name?: string;
  /** ID of a message or reply: the service's with `remote`, else the turn's. */
  readonly turnId?: string;
  /** Text for the composer, which is never sent by the link. */
  readonly prompt?: string;
}

/** Creates a link such as `vscode://parley.parley/conversation?service=https://…/api/v1&id=ID`. */
export function createConversationLink(scheme: string, link: ConversationLink): string {
  const { localId, remote, name, turnId, prompt } = link;
  const path = localId === undefined ? '/conversation' : `/conversation/${localId}`;
  const query = createLinkQuery({
    ...(remote && { service: remote.baseUrl, id: remote.id }),
    ...(name && { name }),
    ...(turnId !== undefined && { turn: turnId }),
    ...(prompt && { prompt }),
  });
  return `${scheme}://${EXTENSION_ID}${path}${query === '' ? '' : `?${query}`}`;
}

/** Creates a link's query. Values are encoded twice, because VS Code decodes the query before it passes the link on. */
function createLinkQuery(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}=${encodeURIComponent(encodeURIComponent(value))}`)
    .join('&');
}

/** Parses the path and the query of a link as VS Code passes them on; undefined if it names no conversation and has no prompt. */
export function parseConversationLink(path: string, query: string): ConversationLink | undefined {
  const match = /^\/conversation(?:\/([\w-]{1,100}))?$/.exec(path);
  if (!match) return undefined;
  const params = new URLSearchParams(query);
  const localId = match[1];
  const remote = localId === undefined ? parseRemote(params.get('service'), params.get('id')) : undefined;
  // A link that names a service or a conversation, but not properly, must not open something else.
  if (localId === undefined && !remote && (params.has('service') || params.has('id'))) return undefined;
  const name = toPlainText((params.get('name') ?? '').replace(/\s+/g, ' '), MAX_NAME_LENGTH);
  const turnId = params.get('turn') ?? '';
  const prompt = toPlainText(params.get('prompt') ?? '', MAX_PROMPT_LENGTH);
  if (localId === undefined && !remote && prompt === '') return undefined;
  return {
    ...(localId !== undefined && { localId }),
    ...(remote && { remote }),
    ...(name !== '' && { name }),
    ...(turnId !== '' && turnId.length <= MAX_ID_LENGTH && { turnId }),
    ...(prompt !== '' && { prompt }),
  };
}

function parseRemote(service: string | null, id: string | null): ConversationLink['remote'] {
  const base = parseBaseUrl(service ?? '');
  if (!base.ok || !base.hasVersionPath || !id || id.length > MAX_ID_LENGTH) return undefined;
  return { baseUrl: base.url, id };
}
