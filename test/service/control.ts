import { authorize, parseBody, readApiBody } from './api/api';
import type { ReplyEnd } from './bots/bot';
import { createConversions } from './conversions';
import { isFault } from './faults/faults';
import { type Handler, HttpError, sendJson } from './http/http';
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
  const scripts: ScriptedReply[] = [];
  return async (exchange) => {
    const { req, res, url } = exchange;
    if (!url.pathname.startsWith(CONTROL_PATH)) return handleApi(exchange);
    const bytes = await readApiBody(exchange);
    if (!bytes) return;
    authorize(state, exchange);
    const [, collection = '', name = ''] = /^\/local\/(\w+)(?:\/(.+))?$/.exec(url.pathname) ?? [];
    const body = req.method === 'POST' ? parseBody(exchange, bytes) : {};
    const answer = runControl(state, scripts, `${req.method} ${collection}`, decodeURIComponent(name), body);
    sendJson(res, 200, answer ?? {});
  };
}

function runControl(
  state: ServiceState,
  scripts: ScriptedReply[],
  operation: string,
  name: string,
  body: Readonly<Record<string, unknown>>,
): unknown {
  switch (operation) {
    case 'POST faults':
      if (!isFault(body)) throw new HttpError(422, 'The fault has no name that the service knows.');
      return state.faults.inject(body);
    case 'DELETE faults':
      return state.faults.clear();
    case 'POST scripts':
      playScript(findScript(state, scripts, name), body);
      return { number: name ? Number(name) : scripts.length - 1 };
    case 'POST conversions':
      return finishConversion(state, name, body as { readonly result?: ConversionResult | 'syncing' });
    case 'GET requests':
      return { data: state.recorder.requests };
    default:
      throw new HttpError(404, 'Not found.');
  }
}

/** Returns the script with this number, or a new one for the next message. */
function findScript(state: ServiceState, scripts: ScriptedReply[], name: string): ScriptedReply {
  if (name) {
    const script = scripts[Number(name)];
    if (!script) throw new HttpError(404, `No script has the number ${name}.`);
    return script;
  }
  const script = createScript();
  state.scripts.push(script);
  scripts.push(script.reply);
  return script.reply;
}

function playScript(script: ScriptedReply, { chunks = [], end }: ScriptSteps): void {
  for (const chunk of chunks) script.chunk(chunk);
  if (end === 'close') script.close();
  else if (end === 'reset') script.reset();
  else if (end) script.end(end);
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
