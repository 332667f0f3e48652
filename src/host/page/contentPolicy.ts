/**
 * The page's content security policy: scripts and styles by a fresh nonce, and no origin in any directive, because an origin
 * that webviews share with the workbench lets an injected element reach everything the workbench can. No text becomes a
 * script or markup either, where the engine has Trusted Types: the page has no policy that could make one.
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
    "trusted-types 'none'",
  ].join('; ');
}
