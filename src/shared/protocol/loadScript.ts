/** The pauses after which a script that can't be loaded is tried again, in ms. */
export const SCRIPT_RETRY_PAUSES_MS = [1000, 2000, 4000, 8000];

/**
 * Creates the inline script that loads a page's style sheet and script, and runs the script once both are there. VS Code
 * shows a page, and passes messages to it, after its `load` event, which would wait for what the HTML itself loads.
 * `failure`: what the page shows if the script can't be loaded, as after an update that removed it.
 */
export function createLoadScript(styleSheet: string, script: string, failure: string): string {
  const quote = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c');
  return `{
  const { nonce } = document.currentScript;
  const addLink = (properties) => document.head.append(Object.assign(document.createElement('link'), { nonce }, properties));
  const pauses = ${JSON.stringify(SCRIPT_RETRY_PAUSES_MS)};
  const start = () => import(${quote(script)}).catch((error) => {
    if (pauses.length > 0) {
      console.warn(error);
      setTimeout(start, pauses.shift());
      return;
    }
    document.getElementById('shell')?.remove();
    const alert = Object.assign(document.createElement('p'), { role: 'alert', textContent: ${quote(failure)} });
    document.getElementById('app').replaceChildren(alert);
    throw error;
  });
  addEventListener('load', () => {
    addLink({ rel: 'stylesheet', href: ${quote(styleSheet)}, onload: start, onerror: start });
    addLink({ rel: 'modulepreload', href: ${quote(script)} });
  });
}`;
}
