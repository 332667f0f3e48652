import type { Bot, ReplyEnd, ReplyRequest } from '../bots/bot';
import { DocumentSearch } from './documentSearch';
import { readText } from './documentText';
import { findContentWords } from './terms';

export interface OpenAiOptions {
  /** The URL up to `/v1`, or the whole URL of `/chat/completions`. */
  readonly url: string;
  readonly key?: string;
  /** Defaults to the first model that the server lists. */
  readonly model?: string;
}

const PASSAGES_IN_PROMPT = 6;

/**
 * Creates a bot for the model of an OpenAI-compatible server; adds relevant passages of the documents to the
 * prompt.
 */
export function createModelBot(options: OpenAiOptions): Bot {
  return {
    id: 'model',
    name: 'Model',
    async *reply(request) {
      try {
        return yield* complete(options, request);
      } catch (error) {
        if (request.signal.aborted) return {};
        yield `The model’s server can’t reply: ${getErrorMessage(error)}`;
        return { failed: true };
      }
    },
  };
}

async function* complete(
  options: OpenAiOptions,
  request: ReplyRequest,
): AsyncGenerator<string, ReplyEnd, void> {
  const base = options.url.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  const headers = { ...(options.key && { Authorization: `Bearer ${options.key}` }) };
  const model = options.model ?? (await fetchFirstModel(`${base}/models`, headers, request.signal));
  const { prompt, sources } = createDocumentPrompt(request);
  const messages = [
    ...(prompt ? [{ role: 'system', content: prompt }] : []),
    ...request.history.map(({ machine, content }) => ({ role: machine ? 'assistant' : 'user', content })),
    { role: 'user', content: request.question },
  ];
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model, messages, stream: true }),
    signal: request.signal,
  });
  if (!response.ok || !response.body) throw new Error(await describeFailure(response));
  for await (const data of readEventData(response.body)) {
    if (data === '[DONE]') return { sources };
    const event = JSON.parse(data) as CompletionEvent;
    if (event.error) throw new Error(event.error.message ?? 'it sent an error without a message.');
    const text = event.choices?.[0]?.delta?.content;
    if (text) yield text;
    if (event.choices?.[0]?.finish_reason) return { sources };
  }
  throw new Error('it ended in the middle of the reply.');
}

interface CompletionEvent {
  readonly error?: { readonly message?: string };
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null };
    readonly finish_reason?: string | null;
  }[];
}

async function* readEventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of body as AsyncIterable<Uint8Array> & typeof body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) yield line.slice('data:'.length).trim();
    }
  }
}

async function fetchFirstModel(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(url, { headers, signal });
  if (!response.ok) throw new Error(await describeFailure(response));
  const { data } = (await response.json()) as { readonly data?: readonly { readonly id: string }[] };
  const id = data?.[0]?.id;
  if (!id) throw new Error('it lists no model; name one in PARLEY_OPENAI_MODEL.');
  return id;
}

/** Creates a prompt from the passages that are relevant to the question. */
function createDocumentPrompt({ documents, question }: ReplyRequest): { prompt: string; sources: string[] } {
  const texts = documents.map((document) => readText(document)).filter((text) => text !== undefined);
  const search = new DocumentSearch(texts);
  const words = findContentWords(question);
  const passages = (words.length ? search.find(words) : search.getOpenings()).slice(0, PASSAGES_IN_PROMPT);
  if (passages.length === 0) return { prompt: '', sources: [] };
  const quoted = passages.map(
    ({ document, startLine, endLine, text }) =>
      `--- ${document.name}, lines ${startLine}–${endLine}\n${text}`,
  );
  return {
    prompt: `Passages from the documents that the user uploaded:\n\n${quoted.join('\n\n')}`,
    sources: [...new Set(passages.map(({ document }) => document.id))],
  };
}

async function describeFailure(response: Response): Promise<string> {
  const body = await response.text();
  try {
    const { error } = JSON.parse(body) as { readonly error?: { readonly message?: string } | string };
    const message = typeof error === 'string' ? error : error?.message;
    if (message) return `${message} (${response.status})`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return `it answers ${response.status} ${response.statusText}.`;
}

/** Returns the reason of an error; for fetch's "fetch failed", it is in `cause`. */
function getErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error
    ? cause.message || ((cause as NodeJS.ErrnoException).code ?? '')
    : error.message;
}
