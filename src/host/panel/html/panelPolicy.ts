/**
 * Creates the page's content security policy: scripts and styles need a fresh nonce, and no directive has an
 * origin, because an origin that webviews share with the workbench would let an injected element reach
 * everything the workbench can. Trusted Types, where the engine has them, keep text from becoming script or
 * markup: the page has one Trusted Types policy, created before anything else, for the scripts of its workers.
 * They are under the same content security policy: they can't load or send anything.
 */
export function createPanelPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types codeWorker',
    'worker-src blob:',
  ].join('; ');
}
