/**
 * The page's inline script, which runs before all others: it posts `ready` while they load, so that the
 * snapshot is there when they are, and collects the host's messages until the page's `HostConnection` takes
 * over.
 */
export const bootstrapScript = `{
  const api = acquireVsCodeApi();
  const messages = [];
  const keep = ({ data }) => messages.push(data);
  addEventListener('message', keep);
  globalThis.start = { api, messages, keep };
  api.postMessage({ type: 'ready' });
}`;
