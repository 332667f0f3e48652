import type { ToHost } from './toHost';

/** What the page may do with VS Code's webview API; its state survives a reload. */
export interface VsCodeApi<State> {
  postMessage(message: ToHost): void;
  getState(): State | undefined;
  setState(state: State): void;
}

/** What `bootstrapScript` leaves in the global `parleyBootstrap` for the page's `HostConnection`. */
export interface Bootstrap<State> {
  readonly api: VsCodeApi<State>;
  /** The host's messages so far. */
  readonly messages: readonly MessageEvent[];
  /** The listener that collects them. */
  readonly keep: (event: MessageEvent) => void;
}

declare global {
  var parleyBootstrap: Bootstrap<unknown> | undefined;
}

/**
 * The page's inline script, which runs before all others: it posts `ready` while they load, so that the
 * snapshot is there when they are, and collects the host's messages until the page's `HostConnection` takes
 * over.
 */
export const bootstrapScript = `{
  const api = acquireVsCodeApi();
  const messages = [];
  const keep = (event) => messages.push(event);
  addEventListener('message', keep);
  globalThis.parleyBootstrap = { api, messages, keep };
  api.postMessage({ type: 'ready', width: innerWidth });
}`;
