/** A text node, or an element that stands for a text, and the offset of its text. */
interface Piece {
  readonly node: Text | HTMLElement;
  readonly start: number;
}

const BODIES = '.bubble, .markdown:not(.bubble .markdown)';
/** Elements that display line breaks. */
const VERBATIM = 'pre, .md-html';
const BLOCK = /^(?:P|H[1-6]|PRE|UL|OL|LI|BLOCKQUOTE|TABLE|TR|HR|BR|DIV|DETAILS|SUMMARY)$/;

/** The text of a turn as it is displayed, and where each part of it is in the page. */
export class TurnText {
  readonly text: string;
  readonly #pieces: Piece[] = [];
  #separator = '';

  /** Reads a turn from the page: its message or reply, without names, times and buttons. */
  constructor(turn: Element) {
    let text = '';
    const append = (node: Text | HTMLElement, content: string) => {
      if (content === '') return;
      if (text !== '') text += this.#separator;
      this.#separator = '';
      this.#pieces.push({ node, start: text.length });
      text += content;
    };
    const read = (parent: Element, isVerbatim: boolean) => {
      for (const node of parent.childNodes) {
        // Elsewhere a line break is displayed as a space.
        if (node instanceof Text) append(node, isVerbatim ? node.data : node.data.replaceAll('\n', ' '));
        if (!(node instanceof HTMLElement) || node.matches('.code-bar')) continue;
        const { tagName } = node;
        const separator = BLOCK.test(tagName) ? '\n' : /^T[DH]$/.test(tagName) ? '\t' : '';
        this.#separate(separator);
        // A drawn formula keeps its source in a data attribute.
        if (node.matches('.md-math')) append(node, node.dataset.source || node.textContent);
        else read(node, isVerbatim || node.matches(VERBATIM));
        this.#separate(separator);
      }
    };
    for (const body of turn.querySelectorAll(BODIES)) read(body, body.matches('.bubble:not(.markdown)'));
    this.text = text;
  }

  /** Creates the range in the page of a part of the text. */
  createRange(start: number, end: number): Range {
    const range = document.createRange();
    const first = this.#findPiece(start);
    const last = this.#findPiece(end - 1);
    if (first?.node instanceof Text) range.setStart(first.node, clamp(first.node, start - first.start));
    else if (first) range.setStartBefore(first.node);
    if (last?.node instanceof Text) range.setEnd(last.node, clamp(last.node, end - last.start));
    else if (last) range.setEndAfter(last.node);
    return range;
  }

  /** Separates what was read from what follows; the end of a line outweighs the end of a cell. */
  #separate(separator: string): void {
    if (this.#separator !== '\n' && separator !== '') this.#separator = separator;
  }

  /** Finds the last piece that starts at or before an offset. */
  #findPiece(offset: number): Piece | undefined {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#pieces[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.#pieces[low];
  }
}

/** Offsets behind the text are those of a separator. */
function clamp(node: Text, offset: number): number {
  return Math.min(offset, node.length);
}
