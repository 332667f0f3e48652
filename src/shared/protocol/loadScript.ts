/**
 * Creates the inline script that loads a page's style sheet and script, and runs the script once both are there. VS Code
 * shows a page, and passes messages to it, after its `load` event, which would wait for what the HTML itself loads.
 */
export function createLoadScript(styleSheet: string, script: string): string {
  const quote = (url: string) => JSON.stringify(url).replaceAll('<', '\\u003c');
  return `{
  const { nonce } = document.currentScript;
  const addLink = (properties) => document.head.append(Object.assign(document.createElement('link'), { nonce }, properties));
  addEventListener('load', () => {
    const start = () => import(${quote(script)});
    addLink({ rel: 'stylesheet', href: ${quote(styleSheet)}, onload: start, onerror: start });
    addLink({ rel: 'modulepreload', href: ${quote(script)} });
  });
}`;
}
