import MarkdownIt from 'markdown-it';
import { shortenAddress } from '../../shared/text/linkAddress';
import { addDepthLimit, addDetails, addFormulas, addTaskLists } from './markdownExtensions';
import { toSafeLink } from './safeLink';

type Renderer = InstanceType<typeof MarkdownIt>;

/** The tags that are rendered by name, without attributes, as in the panel. */
const TAG = /^<(\/?)(br|sub|sup|kbd|mark|u|ins|del)\s*(\/?)>/i;

/** Limit on the total length of a text's link addresses, as a multiple of its length. Percent-encoding can take nine times. */
const MAX_GROWTH = 10;
/** Extra characters of addresses, shared by all texts of a document: in a table, a reference may be much shorter than its address. */
const SHARED_ROOM = 2 ** 20;

/** Remaining characters for addresses. */
interface Room {
  left: number;
}

/** State passed along while a text is rendered. */
interface TextEnv {
  readonly rooms?: readonly Room[];
  readonly [name: string]: unknown;
}

const renderer = createRenderer();

/**
 * Renders Markdown as HTML that has no script, no remote content and no links other than `https:`. `keepsLines`: whether
 * what was typed on several lines stays on several lines. `shared`: the same for all texts of a document.
 */
export function toHtml(markdown: string, keepsLines = false, shared = createSharedRoom()): string {
  // What the addresses of further links may take. Many references may share a long one.
  const rooms = [{ left: MAX_GROWTH * markdown.length }, shared];
  return renderer.render(markdown, { keepsLines, rooms });
}

export function createSharedRoom(): Room {
  return { left: SHARED_ROOM };
}

export function escapeHtml(text: string): string {
  return renderer.utils.escapeHtml(text);
}

/** Renders a link to an `https:` address; of any other address, its text only. */
export function renderLink(url: string, text: string): string {
  const href = toSafeLink(url);
  if (href === undefined) return escapeHtml(text);
  return `${openLink(href, text === url ? text : '')}${escapeHtml(text)}</a>`;
}

/**
 * Returns the start of a link. Its address isn't printed again if that is its text (`shown`), unless the host is written
 * in letters that may look like those of another one.
 */
function openLink(href: string, shown: string): string {
  const isBare = shown.toLowerCase().startsWith(new URL(href).origin);
  return `<a${isBare ? ' class="bare"' : ''} href="${escapeHtml(href)}" rel="noreferrer noopener">`;
}

/** Creates the renderer. Without `html`, it escapes all tags. */
function createRenderer(): Renderer {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  // A link that isn't valid is shown as its source.
  markdown.validateLink = (url) => toSafeLink(url) !== undefined;
  const { rules } = markdown.renderer;
  rules.link_open = (tokens, index, _options, env) => {
    // An address in angle brackets in a link is the link's text, because links can't be nested.
    if (addOpenLinks(env, 1) > 1) return '';
    const [link, text] = tokens.slice(index, index + 2);
    const url = String(link?.attrGet('href'));
    // A link that isn't safe isn't valid either, see above.
    const href = takeRoom(url, env) ? toSafeLink(url) : undefined;
    if (href === undefined) return '<a>';
    return openLink(href, link?.markup === 'autolink' ? (text?.content ?? '') : '');
  };
  rules.link_close = (_tokens, _index, _options, env) => (addOpenLinks(env, -1) > 0 ? '' : '</a>');
  rules.softbreak = (_tokens, _index, _options, env) => (env?.keepsLines ? '<br>\n' : '\n');
  // Nothing is loaded: an image is a link, or the text of the link that it is in.
  rules.image = (tokens, index, _options, env) => {
    const src = String(tokens[index]?.attrGet('src'));
    const text = tokens[index]?.content || shortenAddress(src);
    return !env?.openLinks && takeRoom(src, env) ? renderLink(src, text) : escapeHtml(text);
  };
  rules.code_block = (tokens, index) => renderCode(tokens[index]?.content ?? '');
  rules.fence = rules.code_block;
  // The policy forbids style attributes.
  for (const name of ['th_open', 'td_open']) {
    rules[name] = (tokens, index) => {
      const token = tokens[index];
      const align = /center|right/.exec(String(token?.attrGet('style')))?.[0];
      return `<${token?.tag}${align ? ` class="align-${align}"` : ''}>`;
    };
  }
  addTags(markdown);
  addFormulas(markdown);
  addDetails(markdown);
  addDepthLimit(markdown);
  addTaskLists(markdown);
  return markdown;
}

/** Returns whether there is room for another link to an address, and takes it. */
function takeRoom(url: string, env: TextEnv | undefined): boolean {
  const room = env?.rooms?.find(({ left }) => left >= url.length);
  if (!room) return false;
  room.left -= url.length;
  return true;
}

/** Adds to the number of links that aren't closed yet, and returns it. */
function addOpenLinks(env: Record<string, unknown> | undefined, count: number): number {
  const open = Number(env?.openLinks ?? 0) + count;
  if (env) env.openLinks = open;
  return open;
}

function renderCode(code: string): string {
  return `<pre><code>${escapeHtml(code)}</code></pre>\n`;
}

/** Renders the known tags. Tags that don't match are shown as text, so that they end where their paragraph does. */
function addTags(markdown: Renderer): void {
  markdown.inline.ruler.before('html_inline', 'bare_tag', (state, silent) => {
    const [source, slash, name] = TAG.exec(state.src.slice(state.pos, state.pos + 16)) ?? [];
    if (source === undefined || name === undefined) return false;
    const tag = name.toLowerCase();
    if (tag === 'br' && slash) return false;
    if (!silent) {
      // Pushed without nesting, which would begin a new list of delimiters.
      const token = state.push('bare_tag', tag, 0);
      if (tag !== 'br') token.nesting = slash ? -1 : 1;
      token.content = source;
    }
    state.pos += source.length;
    return true;
  });
  markdown.core.ruler.push('unmatched_tags', ({ tokens }) => {
    for (const { children } of tokens) {
      const open: NonNullable<typeof children> = [];
      for (const token of children ?? []) {
        if (token.nesting === 1) open.push(token);
        else if (token.nesting === -1) {
          const last = open.at(-1);
          if (last?.tag === token.tag) open.pop();
          else if (token.type === 'bare_tag') token.hidden = true;
          else {
            // Markdown's own tokens are always matched: what is open inside of them isn't.
            const from = open.findLastIndex(({ tag }) => tag === token.tag);
            for (const inner of open.splice(Math.max(0, from)).slice(1)) inner.hidden = true;
          }
        }
      }
      for (const token of open) token.hidden = true;
    }
  });
  markdown.renderer.rules.bare_tag = (tokens, index) => {
    const token = tokens[index];
    if (!token) return '';
    if (token.hidden) return escapeHtml(token.content);
    return `<${token.nesting < 0 ? '/' : ''}${token.tag}>`;
  };
}
