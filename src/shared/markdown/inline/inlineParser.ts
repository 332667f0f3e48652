import { looksLikeFormula, scanFormula, scanMathMark } from '../../text/formulaText';
import { NEED_MORE } from '../../text/needMore';
import { DelimiterStack, scanDelimiter } from './delimiters';
import { InlineNode } from './inlineNode';
import { InlineOutput } from './inlineOutput';
import { LinkParser, type Resolve } from './linkParser';
import { OpenTags } from './openTags';
import { scanAngleAutolink, scanUrl, scanWww } from './scan/autolink';
import { CodeScanner, normalizeCode } from './scan/code';
import { scanRawHtml } from './scan/html';
import { matchAt, scanEntity } from './scan/linkScan';
import { MAX_COMMENT_LENGTH, parseComment, scanTag, type Tag } from './scan/tag';

/** The text up to `offset` is final, whatever follows; it ends `length` characters into `node`. */
export interface Settled {
  readonly offset: number;
  readonly node: InlineNode;
  readonly length: number;
}

/**
 * Plain text, in parts: a regular expression that repeats an alternative is slow, and overflows the stack over several
 * MB.
 */
const PLAIN = /[^\n\\`$*_~[\]!<&:w]+|w(?!ww\.)|:(?!\/\/)/y;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const AUTOLINK_PREFIX = /<[A-Za-z][A-Za-z0-9.+-]{1,31}(?::[^<>\s]*|@[A-Za-z0-9.-]*)$/y;
/** Characters whose meaning depends on the next one; held back while text is still arriving. */
const HELD_BACK = /(?:\s+|[*_~]+|`+|\$+|\\|!?\[|!|\]|&#?\w{0,32}|<(?:[/?]?[a-z]{0,7}|br ?\/?|!-{0,2}))$/i;
const MAX_HELD_LENGTH = 64;

/**
 * Parses the text of one block as CommonMark and GFM, from an offset where nothing is pending. While the text is
 * `open`, unfinished markup is shown as if it ended here: bold text, a link's text, code.
 */
export class InlineParser {
  settled: Settled | undefined;
  /** Text shown so far may become a formula. */
  #mayChange = false;
  readonly #text: string;
  readonly #open: boolean;
  readonly #end: number;
  readonly #output: InlineOutput;
  readonly #delimiters = new DelimiterStack();
  readonly #tags: OpenTags;
  readonly #links: LinkParser;
  readonly #code: CodeScanner;
  /** Ends of raw HTML that don't occur any more. */
  readonly #missing = new Set<string>();

  constructor(text: string, from: number, open: boolean, resolve: Resolve) {
    this.#text = text;
    this.#code = new CodeScanner(text);
    this.#open = open;
    const heldBack = open
      ? HELD_BACK.exec(text.slice(Math.max(from, text.length - MAX_HELD_LENGTH)))?.[0]
      : undefined;
    this.#end = heldBack === undefined ? findTrimmedEnd(text, from) : text.length - heldBack.length;
    this.#output = new InlineOutput(text, this.#end, heldBack !== undefined && heldBack.trim() !== '');
    this.#tags = new OpenTags(this.#output.root, this.#delimiters);
    this.#links = new LinkParser(this.#output, this.#delimiters, this.#tags, open, resolve);
    for (let position = from; position < this.#end; ) position = this.#parseAt(position);
    this.#tags.closeAfter(0, open);
    this.#delimiters.pairDelimiters();
    if (open) this.#closeUnfinished();
  }

  get root(): InlineNode {
    return this.#output.root;
  }

  /** Something other than spaces at the end isn't shown yet. */
  get hidesEnd(): boolean {
    return this.#output.hidesEnd;
  }

  /** Parses what starts at a position; returns its end, as do the methods below. */
  #parseAt(position: number): number {
    switch (this.#text[position]) {
      case '\n':
        return this.#parseLineBreak(position);
      case '\\':
        return this.#parseMath(position) ?? this.#parseEscape(position);
      case '$':
        return this.#parseMath(position) ?? this.#parseDollars(position);
      case '`':
        return this.#parseCode(position);
      case '*':
      case '_':
      case '~':
        return this.#parseDelimiter(position);
      case '!':
        return this.#text[position + 1] === '['
          ? this.#links.openBracket('![', position)
          : this.#output.addLiteral(position);
      case '[':
        return this.#links.openBracket('[', position);
      case ']':
        return this.#links.closeBracket(position);
      case '<':
        return this.#parseAngle(position);
      case '&':
        return this.#parseEntity(position);
      case ':':
        return this.#parseUrl(position);
      case 'w':
        return this.#parseWww(position);
      default:
        return this.#parsePlain(position);
    }
  }

  /** Parses plain text. */
  #parsePlain(position: number): number {
    let run = '';
    for (let part: string | undefined; part !== ''; run += part) {
      part = matchAt(PLAIN, this.#text, position + run.length)?.[0] ?? '';
    }
    run ||= this.#text.charAt(position);
    const end = position + run.length;
    const node = new InlineNode('text', end > this.#end ? run.slice(0, this.#end - end) : run);
    this.#output.addNode(node, end);
    if (this.#open && !this.#links.brackets.top && !this.#tags.innermost && !this.#mayChange)
      this.#settleText(node, position, run);
    return end;
  }

  /** Marks text as settled: between two words only unmatched openers are pending. */
  #settleText(node: InlineNode, position: number, run: string): void {
    let length = run.length;
    while (length > 0 && !(run[length - 1] === ' ' && /\S/.test(this.#text.charAt(position + length))))
      length--;
    if (length === 0 && this.#text[position - 1] !== '\n') return;
    this.#delimiters.pairDelimiters();
    if (!this.#delimiters.top) this.settled = { offset: position + length, node, length };
  }

  #parseLineBreak(position: number): number {
    const last = this.#output.root.last;
    if (last?.kind === 'text') {
      const length = findTrimmedEnd(last.text, 0);
      if (last.text.endsWith('  ')) this.#output.root.appendNode(new InlineNode('lineBreak'));
      last.text = last.text.slice(0, length);
    }
    return this.#output.addNode(new InlineNode('text', '\n'), position + 1);
  }

  #parseEscape(position: number): number {
    const next = this.#text.charAt(position + 1);
    if (next === '\n') return this.#output.addNode(new InlineNode('lineBreak'), position + 1);
    return PUNCTUATION.test(next)
      ? this.#output.addNode(new InlineNode('text', next), position + 2)
      : this.#output.addLiteral(position);
  }

  #parseCode(position: number): number {
    const length = this.#code.countBackticks(position);
    const from = position + length;
    const code = this.#code.scan(from, length);
    if (code) return this.#output.addNode(new InlineNode('code', code.value), code.end);
    if (!this.#open) return this.#output.addLiteral(position, length);
    if (from < this.#end)
      this.#output.root.appendNode(new InlineNode('code', normalizeCode(this.#text.slice(from, this.#end))));
    return this.#output.hideRest();
  }

  /** Parses a formula. It binds like code: its content isn't Markdown. */
  #parseMath(position: number): number | undefined {
    const mark = scanMathMark(this.#text, position);
    const formula = mark && scanFormula(this.#text, position, mark, this.#open);
    if (!mark || !formula) return undefined;
    if (formula !== NEED_MORE)
      return this.#output.addNode(new InlineNode('math', formula.value), formula.end);
    this.#mayChange = this.#output.hidesEnd = true;
    const source = this.#text.slice(position, this.#end);
    if (!looksLikeFormula(source.slice(mark.length), mark)) return undefined;
    const node = new InlineNode('math', source);
    node.unfinished = true;
    this.#output.root.appendNode(node);
    return this.#output.hideRest();
  }

  #parseDollars(position: number): number {
    let end = position + 1;
    while (this.#text[end] === '$') end++;
    return this.#output.addLiteral(position, end - position);
  }

  #parseDelimiter(position: number): number {
    const run = scanDelimiter(this.#text, position);
    const node = new InlineNode('text', run.mark.repeat(run.length));
    if (run.canOpen || run.canClose) this.#delimiters.push({ ...run, node, position });
    return this.#output.addNode(node, position + run.length);
  }

  #parseAngle(position: number): number {
    const tag = scanTag(this.#text, position);
    if (tag) return this.#parseTag(tag.value, position, tag.end);
    const autolink = scanAngleAutolink(this.#text, position);
    if (autolink) return this.#output.addAutolink(autolink.text, autolink.value, autolink.end);
    // The brackets of an autolink are markup, those of a tag are shown: raw HTML is text.
    if (this.#open && matchAt(AUTOLINK_PREFIX, this.#text, position))
      return this.#output.showRest(position + 1);
    const end = scanRawHtml(this.#text, position, this.#open, this.#missing);
    if (end === NEED_MORE) {
      const hides =
        this.#text.startsWith('<!--', position) && this.#text.length - position < MAX_COMMENT_LENGTH;
      return hides ? this.#output.hideRest() : this.#output.showRest(position);
    }
    if (end === undefined) return this.#output.addLiteral(position);
    const source = this.#text.slice(position, end);
    const comment = parseComment(source);
    const node = comment === undefined ? new InlineNode('html', source) : new InlineNode('comment', comment);
    return this.#output.addNode(node, end);
  }

  /** Parses a tag. An end tag without a start tag is text. */
  #parseTag({ name, closes }: Tag, position: number, end: number): number {
    if (name === 'br') return this.#output.addNode(new InlineNode('lineBreak'), end);
    if (!closes) {
      this.#tags.openTag(name, end);
      return end;
    }
    const start = this.#tags.closeTag(name);
    if (start === undefined) return this.#output.addLiteral(position, end - position);
    // Brackets don't reach across a tag.
    this.#links.brackets.popAfter(start);
    return end;
  }

  #parseEntity(position: number): number {
    const entity = scanEntity(this.#text, position);
    return entity
      ? this.#output.addNode(new InlineNode('text', entity.value), entity.end)
      : this.#output.addLiteral(position);
  }

  #parseWww(position: number): number {
    const link = this.#links.brackets.top ? undefined : scanWww(this.#text, position);
    if (!link) return this.#parsePlain(position);
    return this.#output.addAutolink(this.#text.slice(position, link.end), link.value, link.end);
  }

  #parseUrl(position: number): number {
    const last = this.#output.root.last;
    if (!this.#links.brackets.top && last?.kind === 'text') {
      const scheme = /[a-z]*$/i.exec(last.text.slice(-32))?.[0].length ?? 0;
      const link = scanUrl(this.#text, position - scheme);
      if (link) {
        last.text = last.text.slice(0, last.text.length - scheme);
        return this.#output.addAutolink(link.value, link.value, link.end);
      }
    }
    return this.#output.addLiteral(position);
  }

  #closeUnfinished(): void {
    this.#links.brackets.hideUnfinished(this.#text.length);
    this.#delimiters.closeOpen();
  }
}

function findTrimmedEnd(text: string, from: number): number {
  let end = text.length;
  while (end > from && /[ \t\n]/.test(text.charAt(end - 1))) end--;
  return end;
}
