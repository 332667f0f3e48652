import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as v from 'valibot';
import { toPlainText } from '../client/plainText';
import type { BackendCall } from './backend';
import type { Confirmation } from './confirmation';

/** In code points. */
const MAX_AGENT_NAME_LENGTH = 60;
/** Progress is reported at most this often, in ms: each report is a message that the agent handles. */
const PROGRESS_INTERVAL_MS = 200;

const infoSchema = v.object({ name: v.string(), title: v.optional(v.string()) });
const capabilitiesSchema = v.object({
  elicitation: v.optional(v.looseObject({})),
  roots: v.optional(v.looseObject({})),
});
/** In ms: an agent that doesn't say its folders is asked in the folder that it started the server in. */
const ROOTS_TIMEOUT_MS = 2_000;

/** Returns the agent's name and abilities, as it says itself: with each request since 2026-07-28, before when it connects. */
export async function createCall(
  server: McpServer,
  ctx: ServerContext,
  confirmation?: Confirmation,
): Promise<BackendCall> {
  const { signal } = ctx.mcpReq;
  const envelope: Readonly<Record<string, unknown>> = ctx.mcpReq.envelope ?? {};
  const info = parse(infoSchema, envelope[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion());
  const capabilities = parse(
    capabilitiesSchema,
    envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities(),
  );
  const name = toPlainText((info?.title ?? info?.name ?? '').replace(/\s+/g, ' '), MAX_AGENT_NAME_LENGTH);
  return {
    agent: name || 'An agent',
    agentCanAsk: capabilities?.elicitation !== undefined,
    ...confirmation,
    signal,
    folders: [...(await listRoots(server, ctx)), process.cwd()],
    onProgress: createProgress(ctx),
  };
}

/** Returns a function that reports how many characters of a reply have arrived, if the agent wants to know. */
function createProgress({ mcpReq }: ServerContext): (characters: number) => void {
  const progressToken = mcpReq._meta?.progressToken;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (characters) => {
    const now = performance.now();
    if (progressToken === undefined || now - reportedAt < PROGRESS_INTERVAL_MS) return;
    reportedAt = now;
    const params = { progressToken, progress: characters, message: `${characters} characters so far` };
    // An agent that is gone needs no progress.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

function parse<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T | undefined {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : undefined;
}

/** Returns the agent's folders, which it tells on request; since 2026-07-28, it has only the one it starts the server in. */
async function listRoots(server: McpServer, { mcpReq }: ServerContext): Promise<string[]> {
  const capabilities = parse(capabilitiesSchema, server.server.getClientCapabilities());
  if (mcpReq.envelope || !capabilities?.roots) return [];
  try {
    const { roots } = await server.server.listRoots({}, { timeout: ROOTS_TIMEOUT_MS });
    return roots.flatMap(({ uri }) => (uri.startsWith('file:') ? [fileURLToPath(uri)] : []));
  } catch {
    return [];
  }
}
