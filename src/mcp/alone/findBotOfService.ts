import { isUnsupported } from '../../chat/remote/capabilities';
import type { Bot } from '../../client/models';
import { collectItems, readPages } from '../../client/pages';
import type { ServiceClient } from '../../client/serviceClient';
import { ServiceError } from '../../client/serviceError';
import { AgentError } from '../../shared/agents/agentRequests';

/** Pages that are read of the list. */
const MAX_PAGES = 10;

/** Finds a bot by ID or name; without one, the only bot. Throws AgentError. */
export async function findBotOfService(
  client: ServiceClient,
  named: string,
  signal: AbortSignal,
): Promise<Bot> {
  const bots = await readBots(client, signal);
  if (!bots && named !== '') return { id: named, name: named };
  const found =
    bots?.find(({ id }) => id === named) ??
    bots?.find(({ name }) => name.toLowerCase() === named.toLowerCase() && named !== '');
  if (found) return found;
  const [only, ...others] = bots ?? [];
  if (named === '' && only && others.length === 0) return only;
  const names = (bots ?? []).map(({ name, id }) => name || id).join(', ');
  const problem = named === '' ? 'Name a bot.' : `There is no bot called “${named}”.`;
  throw new AgentError({
    code: 'refused',
    message: `${problem} Available bots: ${names || 'unknown'}. Nothing was sent.`,
  });
}

/** Resolves to undefined if the service doesn't list its bots. */
export async function readBots(
  client: ServiceClient,
  signal: AbortSignal,
): Promise<readonly Bot[] | undefined> {
  return unlessUnsupported(
    collectItems(readPages((page) => client.listBots({ page }, signal), { maxPages: MAX_PAGES })),
  );
}

export async function unlessUnsupported<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ServiceError && isUnsupported(error)) return undefined;
    throw error;
  }
}
