import type { Token } from 'markdown-it';
import type { MarkdownHooks } from './markdownStream';

/** Builds DOM nodes for markdown-it's tokens: elements from a fixed list, text nodes, no HTML ever parsed. */
export function buildTokens(tokens: Token[], hooks: MarkdownHooks): Node[] {
  const root = document.createDocumentFragment();
  const stack: Node[] = [root];
  const add = (node: Node) => stack.at(-1)?.appendChild(node);
  for (const token of tokens) {
    if (token.hidden) continue;
    if (token.type === 'inline') add(fragment(buildTokens(token.children ?? [], hooks)));
    else if (token.nesting === 1) stack.push(add(open(token)) ?? root);
    else if (token.nesting === -1) stack.pop();
    else add(leaf(token, hooks));
  }
  return [...root.childNodes];
}

function fragment(nodes: Node[]): DocumentFragment {
  const result = document.createDocumentFragment();
  result.append(...nodes);
  return result;
}

const ELEMENTS = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td em strong s a'.split(' '),
);

function open(token: Token): Node {
  if (token.tag === 'a') return link(String(token.attrGet('href') ?? ''), token.attrGet('title'));
  const element = document.createElement(ELEMENTS.has(token.tag) ? token.tag : 'span');
  const start = token.attrGet('start');
  if (start !== null) element.setAttribute('start', String(start));
  const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''));
  if (align) element.classList.add(`align-${align[1]}`);
  return element;
}

function link(href: string, title: string | number | null): HTMLElement {
  if (!/^(https?:|mailto:)/i.test(href)) return document.createElement('span');
  const anchor = document.createElement('a');
  anchor.setAttribute('href', href);
  anchor.setAttribute('rel', 'noreferrer noopener');
  if (title !== null) anchor.setAttribute('title', String(title));
  return anchor;
}

function leaf(token: Token, hooks: MarkdownHooks): Node {
  if (token.type === 'softbreak') return document.createTextNode('\n');
  if (token.type === 'hardbreak') return document.createElement('br');
  if (token.type === 'hr') return document.createElement('hr');
  if (token.type === 'code_inline') return withText('code', token.content);
  if (token.type === 'fence' || token.type === 'code_block') return codeBlock(token, hooks);
  if (token.type === 'image') {
    const source = String(token.attrGet('src') ?? '');
    const anchor = link(source, token.attrGet('title'));
    anchor.append(token.content || source);
    return anchor;
  }
  return document.createTextNode(token.content);
}

function codeBlock(token: Token, hooks: MarkdownHooks): HTMLElement {
  const language = /^\S*/.exec(token.info.trim())?.[0] ?? '';
  const code = withText('code', token.content);
  if (/^[\w+#.-]+$/.test(language)) code.classList.add(`language-${language}`);
  const pre = document.createElement('pre');
  pre.append(code);
  return hooks.codeBlock?.(pre, language, () => code.textContent ?? '') ?? pre;
}

function withText(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.append(text);
  return element;
}
