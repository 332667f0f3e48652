import type { Source } from '../../client/models';
import { isBlank } from '../../client/plainText';
import { ServiceError } from '../../client/serviceError';
import { sleep } from '../../client/sleep';
import { findLatestReply } from '../remote/latestReply';
import { type Service, waitForRateLimit } from '../remote/service';
import type { MessageBudget } from './messageBudget';

/** The refusals of one request that are waited for. */
const MAX_REFUSALS = 5;
/** For a 429 that doesn't say how long; doubled each time. */
const FIRST_PAUSE_MS = 2_000;
/** The longest `Retry-After` that is waited for. */
const MAX_PAUSE_MS = 120_000;
/** A conversation is deleted after a run was canceled, too, but nobody waits longer for it. */
const DELETION_TIMEOUT_MS = 10_000;
/** In UTF-16 code units. */
const MAX_NAME_LENGTH = 60;

export interface FreshQuestion {
  readonly service: Pick<Service, 'client'>;
  readonly botId: string;
  readonly text: string;
  readonly needsSources: boolean;
}

export interface FreshReply {
  readonly text: string;
  /** Undefined if they weren't needed, or if the service doesn't tell them. */
  readonly sources?: readonly Source[];
}

interface AskOptions {
  readonly budget: MessageBudget;
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  /** Called if the conversation can't be deleted. */
  readonly onLeft: () => void;
}

/**
 * Asks a question in a conversation of its own, which is deleted afterwards. Sends at most one message that counts: only one
 * that the service refused with 429 is sent again, when it may be. Throws ServiceError.
 */
export async function askFresh(
  { service, botId, text, needsSources }: FreshQuestion,
  { budget, signal, onText, onLeft }: AskOptions,
): Promise<FreshReply> {
  const { client } = service;
  const { id: conversationId } = await whenAccepted(service, signal, () =>
    client.createConversation({ name: createConversationName(text), botId }, signal),
  );
  try {
    const reply = await whenAccepted(service, signal, () =>
      budget.sendCounted(async () => {
        let received = '';
        for await (const chunk of client.streamReply({ conversationId, content: text }, { signal })) {
          received += chunk;
          onText(chunk);
        }
        return received;
      }),
    );
    const message = needsSources ? await findLatestReply(client, conversationId, signal) : undefined;
    return { text: reply, ...(message && { sources: message.sources }) };
  } finally {
    const timeout = AbortSignal.timeout(DELETION_TIMEOUT_MS);
    await whenAccepted(service, timeout, () => client.deleteConversation(conversationId, timeout)).catch(
      onLeft,
    );
  }
}

/** Sends a request when the rate limit allows it, and again after a 429: the service hasn't carried it out. */
async function whenAccepted<T>(
  service: Pick<Service, 'client'>,
  signal: AbortSignal,
  request: () => Promise<T>,
): Promise<T> {
  for (let refusals = 0; ; refusals++) {
    await waitForRateLimit(service, signal);
    try {
      return await request();
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.code === 'rateLimited' && error.maySend;
      if (!isRefused || refusals === MAX_REFUSALS) throw error;
      const pause = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** refusals;
      if (pause > MAX_PAUSE_MS) throw error;
      await sleep(pause, signal);
    }
  }
}

/** Names the conversation of a question, in case that it can't be deleted: in English, so that all have the same start. */
function createConversationName(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const start = line.slice(0, MAX_NAME_LENGTH).replace(/\p{Surrogate}$/u, '');
  return isBlank(start) ? 'Bot test' : `Bot test: ${start}`;
}
