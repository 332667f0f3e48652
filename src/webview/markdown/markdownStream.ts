import MarkdownIt, { type Token } from 'markdown-it';
import { buildTokens } from './tokenDom';

/** What the page may add around the blocks of a reply. */
export interface MarkdownHooks {
  /**
   * Builds the element around a code block once: gets the <pre>, its language word (the info string's first
   * word, may be '') and a way to read the block's current text. Returns the element to put in its place.
   */
  codeBlock?(pre: HTMLElement, language: string, text: () => string): HTMLElement;
}

const parser = new MarkdownIt({ html: false, linkify: true });
// Only what is written as a link is one: "readme.md" in a sentence is a file, not a site.
parser.linkify.set({ fuzzyLink: false });

/** Streams Markdown into a container: closed blocks stay as they are, the open one at the end is built again. */
export class MarkdownStream {
  readonly #container: HTMLElement;
  readonly #hooks: MarkdownHooks;
  #env = {};
  #tail = '';
  #whole = '';
  #open: Node[] = [];

  constructor(container: HTMLElement, hooks: MarkdownHooks = {}) {
    this.#container = container;
    this.#hooks = hooks;
  }

  /** Adds text, gathered per frame. */
  append(text: string): void {
    this.#whole += text;
    this.#tail += text;
    const tokens = parser.parse(this.#tail, this.#env);
    const last = lastBlock(tokens);
    // A block is closed once a later one starts on a complete line.
    const line = tokens[last]?.map?.[0] ?? 0;
    const closed = line > 0 && this.#tail.split('\n').length > line + 2;
    const built = (part: Token[]) => buildTokens(part, this.#hooks);
    for (const node of this.#open) node.parentNode?.removeChild(node);
    if (closed) {
      this.#container.append(...built(tokens.slice(0, last)));
      this.#tail = this.#tail.split('\n').slice(line).join('\n');
    }
    this.#open = built(closed ? tokens.slice(last) : tokens);
    this.#container.append(...this.#open);
  }

  /** The text is complete: the container now shows what one rendering of the whole text shows. */
  end(): void {
    if ('references' in this.#env && Object.keys(this.#env.references ?? {}).length > 0) {
      this.#container.replaceChildren(...buildTokens(parser.parse(this.#whole, {}), this.#hooks));
    }
  }
}

/** Renders a finished text. */
export function renderMarkdown(container: HTMLElement, text: string, hooks: MarkdownHooks = {}): void {
  container.replaceChildren(...buildTokens(parser.parse(text, {}), hooks));
}

function lastBlock(tokens: Token[]): number {
  return tokens.findLastIndex((token) => token.level === 0 && token.nesting >= 0);
}
