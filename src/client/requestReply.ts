import { type Api, parseAs } from './api';
import { type Exchange, isRedirect } from './exchange';
import { singleSchema, streamUrlSchema } from './models';
import { ReplyParser } from './replyParser';

export interface StreamReplyOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called when the stream is open and the service is replying. */
  readonly onOpen?: (() => void) | undefined;
  /** Called once for each reply with an unreadable event, which is skipped. */
  readonly onSkipped?: (() => void) | undefined;
}

/**
 * Sends a message and yields its reply's text as it arrives, one string per read
 * (docs/service.md: POST /messages/stream).
 *
 * Leaving the loop closes the connection. If it ends without throwing, the reply is complete. Nothing is
 * retried: the message may cost quota, and a stream may not be the same when read a second time.
 */
export async function* requestReply(
  api: Api,
  body: { conversationId: string; content: string },
  options: StreamReplyOptions,
): AsyncGenerator<string, void, undefined> {
  const exchange = await api.prepareExchange(
    {
      operation: 'POST /messages/stream',
      path: '/messages/stream',
      body: { conversation_id: body.conversationId, content: body.content, redirect: false },
      headerDeadline: api.deadlines.reply,
    },
    options.signal,
  );
  let streamUrl: string;
  try {
    const response = await exchange.send();
    if (isEventStream(response)) {
      yield* readReplyStream(exchange, response, options);
      return;
    }
    streamUrl = await readStreamUrl(exchange, response);
    exchange.markSucceeded();
  } finally {
    exchange.closeConnection();
  }

  const stream = api.createExchange(
    {
      operation: 'GET {stream_url}',
      method: 'GET',
      url: streamUrl,
      headers: { Accept: 'text/event-stream' },
      key: exchange.request.key,
      withKey: true,
      repeat: 'never',
      headerDeadline: api.deadlines.reply,
    },
    options.signal,
  );
  try {
    const response = await stream.send();
    await stream.throwUnlessOk(response);
    yield* readReplyStream(stream, response, options);
  } finally {
    stream.closeConnection();
  }
}

async function readStreamUrl(exchange: Exchange, response: Response): Promise<string> {
  // 307 and 308 ask to send the message again to another URL.
  if (isRedirect(response) && response.status !== 307 && response.status !== 308) {
    return exchange.resolveRedirect(response);
  }
  await exchange.throwUnlessOk(response);
  const { stream_url } = parseAs(singleSchema(streamUrlSchema), await exchange.readJson(response), exchange);
  return exchange.resolveUrl(stream_url);
}

/** Reads a reply from a response. The caller closes the exchange, and with it the connection. */
async function* readReplyStream(
  exchange: Exchange,
  response: Response,
  { onOpen, onSkipped }: StreamReplyOptions,
): AsyncGenerator<string, void, undefined> {
  if (response.status === 204) throw createEmptyResponseError(exchange);
  if (!isEventStream(response)) {
    throw exchange.createError('invalidResponse', 'the response is not an event stream', {
      reason: 'contentType',
    });
  }
  onOpen?.();
  const parser = new ReplyParser();
  const bytes = exchange.readBytes(response);
  let isEmpty = true;
  let hasSkipped = false;
  for (;;) {
    const read = await bytes.next();
    if (read.done) parser.endReply();
    else isEmpty = false;
    const text = read.done ? '' : parser.feed(read.value);
    if (parser.skipped && !hasSkipped) {
      hasSkipped = true;
      onSkipped?.();
    }
    // Close before yielding the last text, because the consumer may take long.
    if (parser.state !== 'open') await bytes.return();
    if (text !== '') yield text;
    if (parser.state === 'complete') break;
    if (parser.state === 'tooLarge') {
      throw exchange.createError('invalidResponse', 'the reply or an event of it is too large', {
        reason: 'tooLarge',
      });
    }
    if (read.done) {
      if (isEmpty) throw createEmptyResponseError(exchange);
      throw exchange.createError('interrupted', 'the stream ended before [END]');
    }
  }
  exchange.markSucceeded();
}

function createEmptyResponseError(exchange: Exchange): Error {
  return exchange.createError('invalidResponse', 'the service sent an empty response', { reason: 'empty' });
}

function isEventStream(response: Response): boolean {
  return response.ok && /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
}
