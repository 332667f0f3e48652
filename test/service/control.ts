import { authorize, parseBody, readApiBody } from './api/api';
import type { ReplyEnd } from './bots/bot';
import { createConversions } from './conversions';
import { isFault } from './faults/faults';
import { createHistory } from './history';
import { type Handler, HttpError, sendJson } from './http/http';
import { BoundedMap } from './limits';
import type { ConversionResult } from './records';
import type { ServiceState } from './state';
import { createScript, type ScriptedReply } from './streams/scriptedReply';

const CONTROL_PATH = '/local/';

/** The next steps of a script, sent over HTTP. */
interface ScriptSteps {
  readonly chunks?: readonly string[];
  /** How the reply or its connection ends. Without it, the reply continues. */
  readonly end?: ReplyEnd | 'close' | 'reset';
}

/**
 * Adds the test controls over HTTP below `/local/` of the API's origin, protected by its key, for tests in another
 * process or language. Control requests aren't recorded. README.md lists them.
 */
export function addControl(state: ServiceState, handleApi: Handler): Handler {
  const scripts = new ScriptList(state);
  return async (exchange) => {
    const { req, res, url } = exchange;
    if (!url.pathname.startsWith(CONTROL_PATH)) return handleApi(exchange);
    const bytes = await readApiBody(exchange);
    if (!bytes) return;
    authorize(state, exchange);
    const [, collection = '', name = ''] = /^\/local\/(\w+)(?:\/(.+))?$/.exec(url.pathname) ?? [];
    const body = req.method === 'POST' ? parseBody(exchange, bytes) : {};
    const answer = runControl(
      state,
      scripts,
      `${req.method} ${collection}`,
      decodeURIComponent(name),
      body,
      bytes.length,
    );
    sendJson(res, 200, answer ?? {});
  };
}

function runControl(
  state: ServiceState,
  scripts: ScriptList,
  operation: string,
  name: string,
  body: Readonly<Record<string, unknown>>,
  bodyBytes: number,
): unknown {
  switch (operation) {
    case 'POST faults':
      if (!isFault(body)) throw new HttpError(422, 'The fault has no name that the service knows.');
      checkWaiting(state, state.faults.countWaiting(), 'faults');
      return state.faults.inject(body);
    case 'DELETE faults':
      return state.faults.clear();
    case 'POST scripts': {
      const number = name || scripts.add();
      playScript(scripts.take(number, bodyBytes), body);
      return { number: Number(number) };
    }
    case 'POST conversions':
      return finishConversion(state, name, body as { readonly result?: ConversionResult | 'syncing' });
    case 'POST history':
      return publishReplies(state);
    case 'GET requests':
      return { data: state.recorder.requests };
    default:
      throw new HttpError(404, 'Not found.');
  }
}

function checkWaiting({ settings }: ServiceState, count: number, what: string): void {
  const limit = settings.limits.waiting;
  if (count >= limit) throw new HttpError(429, `At most ${limit} ${what} can wait for their request.`);
}

/** The scripts that were created over HTTP, by number. */
class ScriptList {
  readonly #state: ServiceState;
  readonly #scripts: Map<string, { readonly reply: ScriptedReply; bytes: number }>;
  #count = 0;

  constructor(state: ServiceState) {
    this.#state = state;
    this.#scripts = new BoundedMap(state.settings.limits.streams);
  }

  /** Scripts the reply to the next message without a script; returns its number. */
  add(): string {
    checkWaiting(this.#state, this.#state.scripts.length, 'scripts');
    const script = createScript();
    this.#state.scripts.push(script);
    const number = String(this.#count++);
    this.#scripts.set(number, { reply: script.reply, bytes: 0 });
    return number;
  }

  /** Returns the script with this number, to add steps of this size. */
  take(number: string, bytes: number): ScriptedReply {
    const script = this.#scripts.get(number);
    if (!script) throw new HttpError(404, `No script has the number ${number}.`);
    const limit = this.#state.settings.limits.scriptBytes;
    if (script.bytes + bytes > limit) throw new HttpError(413, `A script takes at most ${limit} bytes.`);
    script.bytes += bytes;
    return script.reply;
  }
}

function playScript(script: ScriptedReply, { chunks = [], end }: ScriptSteps): void {
  for (const chunk of chunks) script.chunk(chunk);
  if (end === 'close') script.close();
  else if (end === 'reset') script.reset();
  else if (end) script.end(end);
}

function publishReplies(state: ServiceState): void {
  const history = createHistory(state);
  if (history.pending.length === 0) throw new HttpError(404, 'The history has all replies.');
  history.publish();
}

function finishConversion(
  state: ServiceState,
  name: string,
  { result }: { readonly result?: ConversionResult | 'syncing' },
): void {
  const conversions = createConversions(state);
  if (!conversions.pending.some((document) => document.id === name || document.name === name)) {
    throw new HttpError(404, `No document “${name}” is being converted.`);
  }
  if (result === 'syncing') conversions.list(name);
  else conversions.finish(name, result);
}
