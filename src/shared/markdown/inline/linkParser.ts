import { NEED_MORE } from '../../text/needMore';
import { type Bracket, MAX_BRACKET_LENGTH, OpenBrackets } from './brackets';
import type { DelimiterStack } from './delimiters';
import { InlineNode } from './inlineNode';
import type { InlineOutput } from './inlineOutput';
import type { OpenTags } from './openTags';
import { type LinkTarget, scanInlineTarget, scanLabel } from './scan/linkScan';

/** More than a tooltip shows. */
const MAX_TITLE_LENGTH = 1000;

/** Finds the target of a label. For an undefined label, it may later report that it was defined. */
export type Resolve = (label: string) => LinkTarget | undefined;

/** Parses links and images. Its methods return where parsing continues. */
export class LinkParser {
  readonly brackets = new OpenBrackets();
  readonly #output: InlineOutput;
  readonly #delimiters: DelimiterStack;
  readonly #tags: OpenTags;
  /** More text may follow. */
  readonly #open: boolean;
  readonly #resolve: Resolve;

  constructor(
    output: InlineOutput,
    delimiters: DelimiterStack,
    tags: OpenTags,
    open: boolean,
    resolve: Resolve,
  ) {
    this.#output = output;
    this.#delimiters = delimiters;
    this.#tags = tags;
    this.#open = open;
    this.#resolve = resolve;
  }

  openBracket(mark: '[' | '![', position: number): number {
    const node = new InlineNode('text', mark);
    const start = position + mark.length;
    this.brackets.push({ node, image: mark === '![', start, bottom: this.#delimiters.top });
    return this.#output.addNode(node, start);
  }

  closeBracket(position: number): number {
    const { text } = this.#output;
    const bracket = this.brackets.top;
    if (!bracket) return this.#output.addLiteral(position);
    const after = position + 1;
    if (this.brackets.isActive(bracket)) {
      const inline = scanInlineTarget(text, after, this.#open);
      if (inline === NEED_MORE) return this.#output.hideRest();
      if (inline) return this.#addLink(bracket, inline.value, inline.end);
      const label = scanLabel(text, after, this.#open);
      if (label === NEED_MORE && text.length - after < MAX_BRACKET_LENGTH) return this.#output.hideRest();
      const [name, end] = typeof label === 'object' ? [label.value, label.end] : ['', after];
      const target = this.#findTarget(name, bracket, position);
      if (target) return this.#addLink(bracket, target, end);
    }
    this.brackets.pop();
    return this.#output.addLiteral(position);
  }

  /** Finds the target of a label, or of the bracket's own text without one. */
  #findTarget(name: string, bracket: Bracket, end: number): LinkTarget | undefined {
    const own = name === '' && !bracket.holdsBracket && end - bracket.start < 1000;
    const label = own ? this.#output.text.slice(bracket.start, end) : name;
    return label.trim() === '' ? undefined : this.#resolve(label);
  }

  #addLink(bracket: Bracket, target: LinkTarget, end: number): number {
    this.#tags.closeAfter(bracket.start);
    this.#delimiters.pairAbove(bracket.bottom);
    const link = new InlineNode(bracket.image ? 'image' : 'link');
    link.target = target;
    link.destination = target.destination;
    // Many references may share a title.
    link.title = target.title?.slice(0, MAX_TITLE_LENGTH);
    link.enclose(bracket.node, undefined);
    bracket.node.removeNode();
    this.brackets.popLink(end);
    return end;
  }
}
