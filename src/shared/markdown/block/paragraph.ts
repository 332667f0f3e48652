import { closesDisplay, opensDisplay } from '../../text/formulaText';
import { NEED_MORE } from '../../text/needMore';
import type { MarkdownElement } from '../base/markdownNodes';
import { InlineContent } from '../inline/inlineContent';
import { type References, scanDefinition } from '../inline/references';
import type { RenderContext } from '../inline/renderContext';
import type { Block, Leaf } from './block';
import { type Container, Item } from './containers';
import { type Alignment, Table } from './table';

/**
 * A paragraph that may still change: it may start with link reference definitions, which aren't shown, be a task,
 * become a heading, or end in the header of a table.
 */
export class Paragraph implements Leaf {
  lastLine: number;
  /** Its last line so far. */
  lastText = '';
  /** A line has opened a display formula: the next lines are math, whatever they look like. */
  holdsOpenMath = false;
  readonly #firstLine: number;
  readonly #container: Container;
  readonly #context: RenderContext;
  /** The block before it. */
  readonly #previous: Block | undefined;
  #text = '';
  /** Start of the displayed text, after a task marker or definitions, and the end of what was passed on. */
  #start = 0;
  #passedLength = 0;
  #mayBeTask: boolean;
  #mayBeDefinition = true;
  #inserted = false;
  /** Its own element; without one it is directly in the item of a tight list. */
  #element: MarkdownElement | undefined;
  #checkbox: MarkdownElement | undefined;
  #content: InlineContent | undefined;
  /** A line that looks like the header of a table is shown as one before the next line arrives. */
  #table: Table | undefined;

  constructor(container: Container, firstLine: number, shared: RenderContext) {
    this.lastLine = this.#firstLine = firstLine;
    this.#container = container;
    this.#context = shared;
    this.#previous = container.last;
    this.#mayBeTask = container instanceof Item && container.last === undefined;
  }

  /** Returns whether there is text besides definitions and a task marker, once its last line is complete. */
  get holdsText(): boolean {
    this.#readTask(false);
    return this.#text.slice(this.#skipDefinitions(false)[1]).trim() !== '';
  }

  /** Returns whether it has more than one line. */
  get #hasLines(): boolean {
    return this.#text.includes('\n');
  }

  startLine(): void {
    this.lastText = '';
    if (this.#text !== '') this.#text += '\n';
  }

  appendToLine(text: string): void {
    this.lastText += text;
    this.#text += text;
  }

  endLine(): boolean {
    this.holdsOpenMath = this.holdsOpenMath ? !closesDisplay(this.lastText) : opensDisplay(this.lastText);
    return false;
  }

  renderBlock(): void {
    const start = this.#readStart(true);
    // A label that would make the list loose is hidden until it is known not to be a definition.
    const hidden = start === NEED_MORE || (start === 'label' && this.#container.makesLoose(this.#firstLine));
    if (hidden) this.#withdraw();
    else if (this.#text.startsWith('|') && !this.#hasLines) this.#showTable();
    else {
      if (this.#table) this.#withdraw();
      this.#showText().renderInline();
    }
  }

  closeBlock(): void {
    this.#readStart(false);
    const text = this.#text.slice(this.#start).trim();
    if (this.#table || (text === '' && !this.#checkbox)) this.#withdraw();
    if (text !== '') this.#showText().closeInline();
  }

  /** Turns it into a heading; the rendered text stays. */
  toHeading(level: number): void {
    this.closeBlock();
    this.#wrapIn(this.#context.document.createElement(`h${level}`));
    if (this.#container instanceof Item) this.#container.list.tight.delete(this);
  }

  /** Wraps it in an element of its own, because the list has become loose. */
  wrap(): void {
    this.#wrapIn(this.#context.document.createElement('p'));
  }

  /** Turns its last line into the header of a table; the lines before it stay a paragraph. */
  toTable(columns: readonly Alignment[]): Table {
    // What is shown may be the header of a line before.
    const shown = this.#hasLines ? undefined : this.#table;
    const table = shown ?? new Table(this.lastLine, this.#context);
    if (shown) {
      table.appendToLine(this.#text.slice(this.#passedLength));
      this.#container.last = table;
    } else {
      const header = this.lastText;
      table.appendToLine(header);
      this.#text = this.#text.slice(0, -header.length).replace(/\n$/, '');
      this.#withdraw();
      this.closeBlock();
      this.#container.add(table, table.element, this.lastLine);
    }
    table.endHeader(columns);
    return table;
  }

  /** Reads a task marker and definitions. Returns what follows, if that can be decided yet. */
  #readStart(open: boolean): 'text' | 'label' | typeof NEED_MORE {
    if (this.#readTask(open) === NEED_MORE) return NEED_MORE;
    if (!this.#mayBeDefinition) return 'text';
    const [state, end] = this.#skipDefinitions(open, this.#context.references);
    if (end > this.#start) {
      this.#withdraw();
      this.#start = this.#passedLength = end;
    }
    this.#mayBeDefinition = state !== 'text';
    return state;
  }

  #readTask(open: boolean): typeof NEED_MORE | undefined {
    if (!this.#mayBeTask) return undefined;
    if (open && /^\[(?:[ xX]\]?)?$/.test(this.#text)) return NEED_MORE;
    this.#mayBeTask = false;
    const marker = /^\[([ xX])\](?=[ \t])/.exec(this.#text);
    if (marker) {
      this.#start = this.#passedLength = 3;
      this.#mayBeDefinition = false;
      this.#addCheckbox(marker[1] !== ' ');
    }
    return undefined;
  }

  /** Reads definitions, which `references` get; returns what follows them and where. */
  #skipDefinitions(open: boolean, references?: References): ['text' | 'label' | typeof NEED_MORE, number] {
    let start = this.#start;
    while (this.#mayBeDefinition && start < this.#text.length) {
      const definition = scanDefinition(this.#text, start, open);
      if (definition === undefined) break;
      if (typeof definition !== 'object') return [definition, start];
      references?.define(definition.label, definition.target);
      start = definition.end;
    }
    return ['text', start];
  }

  #showText(): InlineContent {
    this.#insert();
    this.#content ??= new InlineContent(this.#element ?? this.#container.element, this.#context);
    this.#content.appendInline(this.#text.slice(this.#passedLength));
    this.#passedLength = this.#text.length;
    return this.#content;
  }

  #showTable(): void {
    if (!this.#table) {
      this.#table = new Table(this.#firstLine, this.#context);
      this.#container.add(this, this.#table.element, this.#firstLine);
    }
    this.#table.appendToLine(this.#text.slice(this.#passedLength));
    this.#passedLength = this.#text.length;
    this.#table.renderBlock();
  }

  #insert(): void {
    if (this.#inserted) return;
    this.#inserted = true;
    const { list } = this.#container instanceof Item ? this.#container : {};
    if (list && !list.loose && !this.#container.makesLoose(this.#firstLine)) list.tight.add(this);
    else this.#element = this.#context.document.createElement('p');
    this.#container.add(this, this.#element, this.#firstLine);
  }

  /** Removes what is rendered. */
  #withdraw(): void {
    if (!this.#inserted && !this.#table) return;
    this.#content?.clear();
    this.#table?.clear();
    this.#container.remove(this.#table?.element ?? this.#element, this.#previous);
    if (this.#container instanceof Item) this.#container.list.tight.delete(this);
    if (this.#checkbox) this.#removeCheckbox();
    this.#table = this.#content = this.#element = undefined;
    this.#inserted = false;
    this.#passedLength = this.#start;
  }

  #addCheckbox(checked: boolean): void {
    this.#insert();
    const checkbox = this.#context.document.createElement('input');
    checkbox.setAttribute('type', 'checkbox');
    checkbox.setAttribute('disabled', '');
    if (checked) checkbox.setAttribute('checked', '');
    this.#context.hooks.checkbox?.(checkbox, checked);
    this.#container.element.className = 'md-task';
    (this.#element ?? this.#container.element).appendChild(checkbox);
    this.#checkbox = checkbox;
  }

  /** Removes the checkbox and reads its marker again, which may be in the header of a table. */
  #removeCheckbox(): void {
    this.#checkbox?.remove();
    this.#container.element.removeAttribute('class');
    this.#checkbox = undefined;
    this.#mayBeTask = true;
    this.#start = 0;
  }

  /** Moves the rendered text into an element in its place. */
  #wrapIn(element: MarkdownElement): void {
    const first = this.#element ?? this.#checkbox ?? this.#content?.firstNode;
    if (first) first.parentNode?.insertBefore(element, first);
    else this.#container.element.appendChild(element);
    if (this.#checkbox) element.appendChild(this.#checkbox);
    this.#content?.moveTo(element);
    this.#element?.remove();
    this.#element = element;
  }
}
