/** What a page shows until its script and the snapshot are there: what it showed when it was loaded last. */
export interface Shell {
  /** The conversation's name, unless its tab shows it. */
  readonly title?: string;
  /** The text in the empty composer; empty if it has a draft, undefined without a composer. */
  readonly placeholder?: string;
  readonly font?: { readonly family?: string; readonly size: number };
}

/**
 * Creates the element that a page's first frame shows, which the page removes: the title and the composer where the page
 * draws them, see header.css and composer.css, without waiting for the style sheet. The text is the page's own, and is
 * set as text only.
 */
export function createShell(nonce: string): string {
  return `<div id="shell" aria-hidden="true" hidden><style nonce="${nonce}">${STYLES}</style>
<div id="shell-title"><bdi></bdi></div><div id="shell-foot"><div id="shell-composer" dir="auto"></div></div></div>
<script nonce="${nonce}">${SCRIPT}</script>`;
}

const STYLES = `
#shell:not([hidden]) { position: absolute; inset: 0; overflow: hidden; color: var(--vscode-foreground);
  font-family: var(--vscode-font-family); line-height: 1.4; }
#shell div { box-sizing: border-box; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#shell-title { padding: 8px 16px; font-weight: 600; line-height: max(18px, 1.4em); }
#shell-foot { position: absolute; inset: auto 0 0; max-width: 844px; margin: 0 auto; padding: 4px 12px 12px; }
#shell-composer { min-height: calc(1.5em + 40px); padding: 8px 10px 30px; line-height: 1.5;
  border: 1px solid var(--vscode-contrastBorder, var(--vscode-input-border, var(--vscode-widget-border, transparent)));
  border-radius: var(--vscode-cornerRadius-large, 8px);
  background: var(--vscode-input-background); color: var(--vscode-input-placeholderForeground); }
`;

const SCRIPT = `{
  const shell = parleyBootstrap.api.getState()?.shell;
  if (shell) {
    const { title, placeholder, font } = shell;
    const get = (id) => document.getElementById(id);
    const { style } = get('shell');
    get('shell').hidden = false;
    if (font) style.fontSize = font.size + 'px';
    if (font?.family) style.fontFamily = font.family;
    if (title) get('shell-title').firstChild.textContent = title;
    else get('shell-title').remove();
    if (placeholder === undefined) get('shell-foot').remove();
    else get('shell-composer').textContent = placeholder;
  }
}`;
