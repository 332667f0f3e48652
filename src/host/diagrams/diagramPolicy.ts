/**
 * Creates the policy of the tab: its own script runs, and the one that it passes to the frame that draws, which inherits
 * the policy. Nothing is loaded from anywhere. Drawn diagrams have style sheets without a nonce.
 */
export function createDiagramPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
