import { NEED_MORE, type NeedMore } from '../../text/needMore';
import type { MarkdownHooks } from '../base/hooks';
import { LineCursor } from '../base/lineCursor';
import type { MarkdownDocument, MarkdownElement } from '../base/markdownNodes';
import { InlineContent } from '../inline/inlineContent';
import { References } from '../inline/references';
import type { RenderContext } from '../inline/renderContext';
import type { Leaf } from './block';
import * as starts from './blockStarts';
import { type Container, DocumentBlock, Item, List, Quote } from './containers';
import { Details, readDetailsEnd, readSummary } from './details';
import { CodeBlock } from './fencedCode';
import { Heading } from './heading';
import { HtmlBlock } from './htmlBlock';
import { isMathFence, MathBlock } from './mathBlock';
import { Paragraph } from './paragraph';
import { matchQuote, readStart, type Start } from './readStart';
import { splitRow, Table } from './table';

/** Browsers limit nesting; deeper markers are text. */
const MAX_DEPTH = 100;

/**
 * Parses CommonMark's block structure line by line. What a line means is decided once, as soon as its first characters
 * allow it, and never changed; the rest of the line streams into its block.
 */
export class BlockParser {
  readonly #context: RenderContext;
  readonly #document: DocumentBlock;
  /** The open containers, from the document inwards; the leaf is in the last one. */
  readonly #open: Container[];
  #leaf: Leaf | undefined;
  /** The leaf that receives the rest of the line. */
  #target: Leaf | undefined;
  #lineNumber = 0;

  constructor(document: MarkdownDocument, element: MarkdownElement, hooks: MarkdownHooks) {
    this.#context = { document, references: new References(), hooks };
    this.#document = new DocumentBlock(document, element);
    this.#open = [this.#document];
  }

  /** Starts a line with the text so far; returns false if more text is needed to decide what it is. */
  startLine(text: string, complete: boolean): boolean {
    const cursor = new LineCursor(text, complete);
    const matched = this.#matchContainers(cursor);
    if (matched === NEED_MORE) return false;
    const closed = this.#findClosed(matched, cursor);
    if (closed === NEED_MORE) return false;
    if (closed) {
      this.#lineNumber++;
      this.#target = undefined;
      this.#closeTo(this.#open.indexOf(closed));
      closed.end(this.#lineNumber);
      return true;
    }
    const ends = this.#leaf instanceof MathBlock && this.#leaf.isEnd(cursor);
    if (ends === NEED_MORE) return false;
    // The end mark always ends the formula: otherwise it would start the next one.
    const leaf = ends || matched === this.#open.length ? this.#leaf : undefined;
    const continues = leaf ? canContinue(leaf, cursor) : false;
    if (continues === NEED_MORE) return false;
    const innermost = matched === this.#open.length ? this.#open.at(-1) : undefined;
    const takesSummary = innermost instanceof Details && innermost.takesSummary;
    const opened =
      continues === 'verbatim' ? [] : this.#readStarts(cursor, continues ? leaf : undefined, takesSummary);
    if (opened === NEED_MORE) return false;
    this.#lineNumber++;
    this.#target = undefined;
    const lazy = opened.length === 0 && !cursor.blank && this.#leaf instanceof Paragraph;
    if (leaf && continues && this.#continueLeaf(leaf, opened[0], cursor)) return true;
    if (lazy && this.#leaf) this.#addLine(this.#leaf, cursor.trimmed);
    else this.#openBlocks(matched, opened, cursor);
    return true;
  }

  /** Adds text to the started line. */
  appendToLine(text: string): void {
    this.#target?.appendToLine(text);
  }

  endLine(): void {
    if (this.#target?.endLine()) this.#closeLeaf();
  }

  /** Renders the text so far. */
  renderBlocks(): void {
    this.#leaf?.renderBlock();
    this.#context.references.refreshUsers(false);
  }

  closeBlocks(): void {
    this.#lineNumber++;
    this.#closeTo(1);
    this.#context.references.refreshUsers(true);
  }

  /** Returns how many of the open containers the line continues. */
  #matchContainers(cursor: LineCursor): number | NeedMore {
    let depth = 1;
    for (const container of this.#open.slice(1)) {
      if (!(container instanceof List || container instanceof Details)) {
        if (cursor.undecided) return NEED_MORE;
        const matches = container instanceof Item ? this.#matchItem(container, cursor) : matchQuote(cursor);
        if (matches === NEED_MORE) return NEED_MORE;
        if (!matches) return depth;
      }
      depth++;
    }
    return cursor.undecided ? NEED_MORE : depth;
  }

  #matchItem(item: Item, cursor: LineCursor): boolean {
    // An item may start with only one blank line.
    const empty = item.last === undefined && !(this.#leaf && this.#open.at(-1) === item);
    if (cursor.blank ? empty : cursor.indent < item.width) return false;
    cursor.advance(cursor.blank ? cursor.indent : item.width);
    return true;
  }

  /** Returns the details that the line closes. */
  #findClosed(matched: number, cursor: LineCursor): Details | NeedMore | undefined {
    const details = this.#open.findLast(
      (container, depth) => container instanceof Details && depth < matched,
    );
    if (!(details instanceof Details) || (matched === this.#open.length && isVerbatim(this.#leaf)))
      return undefined;
    const end = readDetailsEnd(cursor);
    return end && end !== NEED_MORE ? details : end;
  }

  /** Reads what the line opens. A summary follows no line of a paragraph, whatever that turns out to be. */
  #readStarts(cursor: LineCursor, leaf: Leaf | undefined, details: boolean): Start[] | NeedMore {
    const summary = details && !(leaf instanceof Paragraph) ? readSummary(cursor) : undefined;
    if (summary) return summary === NEED_MORE ? NEED_MORE : [{ kind: 'summary', text: summary[1] ?? '' }];
    const opened: Start[] = [];
    while (!cursor.blank && this.#open.length + opened.length < MAX_DEPTH) {
      const first = opened.length === 0;
      const afterParagraph = first && this.#leaf instanceof Paragraph;
      if (cursor.indent >= 4) {
        if (!afterParagraph) opened.push({ kind: 'code' });
        break;
      }
      const start = readStart(cursor, first && leaf instanceof Paragraph ? leaf : undefined, afterParagraph);
      if (start === NEED_MORE) return NEED_MORE;
      if (!start) break;
      opened.push(start);
      if (start.kind !== 'quote' && start.kind !== 'item') break;
    }
    return cursor.undecided ? NEED_MORE : opened;
  }

  /** Adds the line to the leaf that it continues; returns false if the leaf ends. */
  #continueLeaf(leaf: Leaf, start: Start | undefined, cursor: LineCursor): boolean {
    if (leaf instanceof CodeBlock) {
      if (leaf.fence && starts.isFenceEnd(cursor, leaf.fence) === true) {
        leaf.lastLine = this.#lineNumber;
        this.#closeLeaf();
      } else {
        const blank = cursor.blank && !leaf.fence;
        cursor.advance(leaf.fence ? Math.min(cursor.indent, leaf.fence.indent) : 4);
        if (blank) leaf.blankLine(cursor.rest);
        else this.#addLine(leaf, cursor.rest);
      }
    } else if (leaf instanceof HtmlBlock) this.#addLine(leaf, cursor.rest);
    else if (leaf instanceof MathBlock) this.#continueMath(leaf, cursor);
    else if (!start) this.#addLine(leaf, cursor.trimmed);
    else if (leaf instanceof Paragraph && start.kind === 'underline') {
      leaf.lastLine = this.#lineNumber;
      leaf.toHeading(start.level);
      this.#leaf = undefined;
    } else if (leaf instanceof Paragraph && start.kind === 'table') {
      this.#leaf = leaf.toTable(start.columns);
      this.#leaf.lastLine = this.#lineNumber;
    } else return false;
    return true;
  }

  #continueMath(math: MathBlock, cursor: LineCursor): void {
    if (math.isEnd(cursor)) {
      math.lastLine = this.#lineNumber;
      math.end(cursor);
      this.#closeLeaf();
      if (!cursor.blank) this.#openParagraph(cursor);
    } else this.#addLine(math, cursor.trimmed);
  }

  #openBlocks(matched: number, opened: readonly Start[], cursor: LineCursor): void {
    this.#closeTo(matched);
    for (const start of opened) this.#openBlock(start, cursor);
    if (this.#leaf || cursor.blank || opened.at(-1)?.kind === 'rule') return;
    this.#openParagraph(cursor);
  }

  #openParagraph(cursor: LineCursor): void {
    const paragraph = new Paragraph(this.#getParent(), this.#lineNumber, this.#context);
    this.#leaf = paragraph;
    this.#addLine(paragraph, cursor.trimmed);
  }

  #openBlock(start: Start, cursor: LineCursor): void {
    const { document } = this.#context;
    const line = this.#lineNumber;
    if (start.kind === 'quote') this.#enterContainer(new Quote(document, line));
    else if (start.kind === 'item')
      this.#enterContainer(new Item(document, this.#getList(start.marker), start.width, line));
    else if (start.kind === 'rule')
      this.#getParent().add({ lastLine: line }, document.createElement('hr'), line);
    else if (start.kind === 'heading') {
      this.#enterLeaf(new Heading(start.level, line, this.#context), cursor.trimmed);
    } else if (start.kind === 'details') {
      const details = new Details(document, line);
      this.#enterContainer(details);
      if (start.summary !== undefined) this.#addSummary(details, start.summary);
    } else if (start.kind === 'summary') {
      const details = this.#open.at(-1);
      if (details instanceof Details) this.#addSummary(details, start.text);
    } else if (start.kind === 'math')
      this.#enterLeaf(new MathBlock(start.mark, line, this.#context), undefined);
    else if (start.kind === 'fence') {
      const Block = isMathFence(start.fence) ? MathBlock : CodeBlock;
      this.#enterLeaf(new Block(start.fence, line, this.#context), undefined);
    } else if (start.kind === 'html')
      this.#enterLeaf(
        new HtmlBlock(document, start.end, line, cursor.trimmed.startsWith('<!--')),
        cursor.rest,
      );
    else if (start.kind === 'code') {
      cursor.advance(4);
      this.#enterLeaf(new CodeBlock(undefined, line, this.#context), cursor.rest);
    }
  }

  /** Returns the list for an item with this marker. */
  #getList(marker: starts.ListMarker): List {
    const open = this.#open.at(-1);
    if (open instanceof List && open.marker.mark === marker.mark) return open;
    const list = new List(this.#context.document, marker, this.#lineNumber);
    this.#enterContainer(list);
    return list;
  }

  /** Returns the container for the next block, which isn't an item: lists contain only items. */
  #getParent(): Container {
    if (this.#open.at(-1) instanceof List) this.#open.pop()?.close(this.#lineNumber - 1);
    return this.#open.at(-1) ?? this.#document;
  }

  #enterContainer(container: Container): void {
    const parent = container instanceof Item ? container.list : this.#getParent();
    parent.add(container, container.element, this.#lineNumber);
    this.#open.push(container);
  }

  #addSummary(details: Details, text: string): void {
    const content = new InlineContent(details.addSummary(this.#lineNumber), this.#context);
    content.appendInline(text);
    content.closeInline();
  }

  #enterLeaf(leaf: Leaf & { readonly element: MarkdownElement }, text: string | undefined): void {
    this.#getParent().add(leaf, leaf.element, this.#lineNumber);
    this.#leaf = leaf;
    if (text !== undefined) this.#addLine(leaf, text);
  }

  #addLine(leaf: Leaf, text: string): void {
    leaf.lastLine = this.#lineNumber;
    leaf.startLine();
    leaf.appendToLine(text);
    this.#target = leaf;
  }

  #closeLeaf(): void {
    this.#leaf?.closeBlock();
    this.#leaf = undefined;
  }

  #closeTo(depth: number): void {
    this.#closeLeaf();
    while (this.#open.length > depth) this.#open.pop()?.close(this.#lineNumber - 1);
  }
}

/** Returns whether a line may continue a leaf; `verbatim` if it does whatever it contains. */
function canContinue(leaf: Leaf, cursor: LineCursor): boolean | 'verbatim' | NeedMore {
  if (leaf instanceof CodeBlock) {
    if (!leaf.fence) return cursor.indent >= 4 || cursor.blank ? 'verbatim' : false;
    return starts.isFenceEnd(cursor, leaf.fence) === NEED_MORE ? NEED_MORE : 'verbatim';
  }
  if (leaf instanceof MathBlock) return 'verbatim';
  if (leaf instanceof Paragraph && leaf.holdsOpenMath) return cursor.blank ? false : 'verbatim';
  if (leaf instanceof HtmlBlock) return leaf.end === 'blank' && cursor.blank ? false : 'verbatim';
  if (!(leaf instanceof Table) || cursor.blank || splitRow(cursor.trimmed).length > 0) return !cursor.blank;
  return cursor.complete ? false : NEED_MORE;
}

/** Returns whether a leaf takes any line that is inside its containers. */
function isVerbatim(leaf: Leaf | undefined): boolean {
  if (leaf instanceof CodeBlock) return leaf.fence !== undefined;
  if (leaf instanceof Paragraph) return leaf.holdsOpenMath;
  return leaf instanceof MathBlock || (leaf instanceof HtmlBlock && leaf.end !== 'blank');
}
