/**
 * The page's content security policy: scripts and styles by a fresh nonce, and no origin in any directive, because an origin
 * that webviews share with the workbench lets an injected element reach everything the workbench can. No text becomes a
 * script or markup either, where the engine has Trusted Types: the page has one policy, which it makes before anything else,
 * and which gives the worker for code its script. That worker is under the same policy: it loads and sends nothing.
 */
export function contentPolicy(nonce: string): string {
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
