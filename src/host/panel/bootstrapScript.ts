/**
 * The page's inline script, before all others: says `ready` while they load, so that the snapshot is there when they are, and
 * keeps what the host says meanwhile. The page's `Host` takes it over.
 */
export const bootstrapScript = `{
  const api = acquireVsCodeApi();
  const messages = [];
  const keep = ({ data }) => messages.push(data);
  addEventListener('message', keep);
  globalThis.start = { api, messages, keep };
  api.postMessage({ type: 'ready' });
}`;
