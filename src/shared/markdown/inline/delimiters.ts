import { InlineNode } from './inlineNode';
import { matchAt } from './scan/linkScan';

/** A run of `*`, `_` or `~`, and whether it can open or close, depending on the characters around it. */
interface DelimiterRun {
  readonly mark: string;
  /** Its length before parts of it were paired. */
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** It follows a space or punctuation, like markup and unlike an operator in a formula. */
  readonly startsWord: boolean;
}

interface Delimiter extends DelimiterRun {
  readonly node: InlineNode;
  /** Offset in the text. */
  readonly position: number;
  previous: Delimiter | undefined;
  next: Delimiter | undefined;
}

const RUN = /\*+|_+|~+/y;
const SPACE = /\s/;
const PUNCTUATION = /[\p{P}\p{S}]/u;

export function scanDelimiter(text: string, position: number): DelimiterRun {
  const run = matchAt(RUN, text, position)?.[0] ?? '';
  const mark = run.charAt(0);
  // Emphasis ignores adjacent tildes, so that it can enclose struck text.
  const [start, end] =
    mark === '~' ? [position, position + run.length] : skipTildes(text, position, run.length);
  const before = getCharacterBefore(text, start);
  const after = String.fromCodePoint(text.codePointAt(end) ?? 0x0a);
  const [spaceBefore, spaceAfter] = [SPACE.test(before), SPACE.test(after)];
  const [markBefore, markAfter] = [PUNCTUATION.test(before), PUNCTUATION.test(after)];
  const left = !spaceAfter && (!markAfter || spaceBefore || markBefore);
  const right = !spaceBefore && (!markBefore || spaceAfter || markAfter);
  // Three tildes or more aren't strikethrough.
  const counts = mark !== '~' || run.length <= 2;
  return {
    mark,
    length: run.length,
    canOpen: counts && left && (mark !== '_' || !right || markBefore),
    canClose: counts && right && (mark !== '_' || !left || markAfter),
    startsWord: spaceBefore || markBefore,
  };
}

function skipTildes(text: string, position: number, length: number): [start: number, end: number] {
  let [start, end] = [position, position + length];
  while (text[start - 1] === '~') start--;
  while (text[end] === '~') end++;
  return [start, end];
}

function getCharacterBefore(text: string, position: number): string {
  const character = text.charAt(position - 1);
  if (character === '') return '\n';
  return /[\udc00-\udfff]/.test(character) ? text.slice(position - 2, position) : character;
}

/** The delimiters without a partner: CommonMark's delimiter stack, processed as early as possible. */
export class DelimiterStack {
  top: Delimiter | undefined;
  #first: Delimiter | undefined;
  /** The last one tried as a closer. */
  #tried: Delimiter | undefined;
  #bottoms = new Map<string, number>();

  push(delimiter: Omit<Delimiter, 'previous' | 'next'>): void {
    const entry = { ...delimiter, previous: this.top, next: undefined };
    if (this.top) this.top.next = entry;
    else this.#first = entry;
    this.top = entry;
  }

  remove(delimiter: Delimiter): void {
    if (delimiter.previous) delimiter.previous.next = delimiter.next;
    else this.#first = delimiter.next;
    if (delimiter.next) delimiter.next.previous = delimiter.previous;
    else this.top = delimiter.previous;
    if (this.#tried === delimiter) this.#tried = delimiter.previous;
  }

  /** Pairs all closers so far with their openers. The remaining delimiters can only be openers. */
  pairDelimiters(): void {
    this.#pairFrom(this.#tried ? this.#tried.next : this.#first, -1, this.#bottoms);
    this.#tried = this.top;
  }

  /** Pairs the delimiters inside a link or tag, above `bottom`, and removes the rest of them. */
  pairAbove(bottom: Delimiter | undefined, unfinished = false): void {
    const first = bottom ? bottom.next : this.#first;
    this.#pairFrom(first, bottom?.position ?? -1, new Map());
    if (unfinished) this.closeOpen(bottom);
    while (this.top && this.top !== bottom) this.remove(this.top);
  }

  /** Closes unfinished markup above `bottom` as if it ended here. */
  closeOpen(bottom?: Delimiter): void {
    for (let opener = this.top; opener && opener !== bottom; opener = opener.previous) {
      const { node, mark } = opener;
      // A single tilde is more often a character than markup.
      if (!opener.canOpen || !opener.startsWord || !node.next || (mark === '~' && opener.length < 2))
        continue;
      while (node.text !== '') {
        const count = node.text.length >= 2 ? 2 : 1;
        node.text = node.text.slice(count);
        const wrapper = new InlineNode(mark === '~' ? 'del' : count === 2 ? 'strong' : 'em');
        wrapper.unfinished = true;
        wrapper.enclose(node, undefined);
      }
    }
  }

  #pairFrom(first: Delimiter | undefined, bottom: number, bottoms: Map<string, number>): void {
    let closer = first;
    while (closer) {
      if (!closer.canClose) {
        closer = closer.next;
        continue;
      }
      // If no opener was found for such a closer, there is none for the next one either.
      const key = `${closer.mark}${closer.canOpen}${closer.length % 3}`;
      const opener = findOpener(closer, Math.max(bottom, bottoms.get(key) ?? -1));
      if (opener) {
        closer =
          closer.mark === '~' ? this.#pairStrikethrough(opener, closer) : this.#pairEmphasis(opener, closer);
        continue;
      }
      bottoms.set(key, closer.previous?.position ?? -1);
      const { next } = closer;
      if (!closer.canOpen) this.remove(closer);
      closer = next;
    }
  }

  #pairEmphasis(opener: Delimiter, closer: Delimiter): Delimiter | undefined {
    const count = opener.node.text.length >= 2 && closer.node.text.length >= 2 ? 2 : 1;
    opener.node.text = opener.node.text.slice(count);
    closer.node.text = closer.node.text.slice(count);
    new InlineNode(count === 1 ? 'em' : 'strong').enclose(opener.node, closer.node);
    this.#removeBetween(opener, closer);
    if (opener.node.text === '') this.#drop(opener);
    if (closer.node.text !== '') return closer;
    const { next } = closer;
    this.#drop(closer);
    return next;
  }

  /** Both runs are used up, or stay text if their lengths differ. */
  #pairStrikethrough(opener: Delimiter, closer: Delimiter): Delimiter | undefined {
    const { next } = closer;
    this.#removeBetween(opener, closer);
    this.remove(opener);
    this.remove(closer);
    if (opener.node.text.length === closer.node.text.length) {
      new InlineNode('del').enclose(opener.node, closer.node);
      opener.node.removeNode();
      closer.node.removeNode();
    }
    return next;
  }

  #removeBetween(opener: Delimiter, closer: Delimiter): void {
    while (closer.previous && closer.previous !== opener) this.remove(closer.previous);
  }

  #drop(delimiter: Delimiter): void {
    this.remove(delimiter);
    delimiter.node.removeNode();
  }
}

function findOpener(closer: Delimiter, bottom: number): Delimiter | undefined {
  for (let opener = closer.previous; opener && opener.position > bottom; opener = opener.previous) {
    if (!opener.canOpen || opener.mark !== closer.mark) continue;
    const oddMatch =
      (closer.canOpen || opener.canClose) &&
      closer.length % 3 !== 0 &&
      (opener.length + closer.length) % 3 === 0;
    if (!oddMatch) return opener;
  }
  return undefined;
}
