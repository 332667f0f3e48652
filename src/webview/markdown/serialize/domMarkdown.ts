import {
  escapeClosingSigns,
  escapeLineStarts,
  escapeText,
  formatInlineCode,
  formatTarget,
  trimLines,
} from './markdownSyntax';
import { createRangeTest } from './rangeTest';
import { isBlock, isLineEnd, isList, isStruck, unwrapGroups } from './renderedElements';

/**
 * Converts the renderer's DOM to Markdown. It only knows the nodes that the renderer creates, and cuts at the ends of a
 * selection, with a fraction of the size of a general HTML converter.
 */
export class DomMarkdown {
  readonly #range: Range | undefined;
  readonly #has: (node: Node) => boolean;

  /** With a range, only the content in the range is written. */
  constructor(range?: Range) {
    this.#range = range;
    this.#has = range ? createRangeTest(range) : () => true;
  }

  /** Writes the blocks in an element. */
  writeBlocks(root: Node): string {
    return this.#blocks(root, false);
  }

  /** Returns the part of a text node that is in the range. */
  getText(node: Text): string {
    const range = this.#range;
    if (!range) return node.data;
    if (!this.#has(node)) return '';
    const end = node === range.endContainer ? range.endOffset : node.length;
    return node.data.slice(node === range.startContainer ? range.startOffset : 0, end);
  }

  /** Returns the text in an element, unescaped. */
  getVerbatim(node: Node): string {
    if (node instanceof Text) return this.getText(node);
    if (node instanceof Comment) return this.#comment(node);
    return [...node.childNodes].map((child) => this.getVerbatim(child)).join('');
  }

  #blocks(parent: Node, tight: boolean): string {
    const written: string[] = [];
    let inline: Node[] = [];
    let before: Element | undefined;
    let alternates = false;
    const paragraph = () => {
      const text = escapeLineStarts(trimLines(this.#inline(inline)));
      if (text !== '') written.push(text);
      inline = [];
    };
    for (const child of unwrapGroups(parent)) {
      if (!this.#has(child) || (child instanceof Element && child.matches('.md-details > summary'))) continue;
      if (!(child instanceof Element) || !isBlock(child)) {
        inline.push(child);
        continue;
      }
      paragraph();
      // A list right after one of the same kind would continue it, unless its marker differs.
      alternates = isList(child) && before?.localName === child.localName && !alternates;
      const text = this.#block(child, alternates);
      if (text !== undefined) written.push(text);
      before = child;
    }
    paragraph();
    return written.join(tight ? '\n' : '\n\n');
  }

  #block(block: Element, alternate: boolean): string | undefined {
    const name = block.localName;
    if (block.matches('.md-math')) return this.#formula(block);
    if (block.matches('.md-html')) return this.getVerbatim(block);
    if (block.matches('.code-block')) return this.#code(block.querySelector('pre') ?? block);
    if (/^h[1-6]$/.test(name)) return this.#heading(block, Number(name[1]));
    switch (name) {
      case 'pre':
        return this.#code(block);
      case 'hr':
        return '***';
      case 'blockquote':
        return prefixLines(this.#blocks(block, false), '> ', '> ');
      case 'ul':
      case 'ol':
        return this.#list(block, alternate);
      case 'table':
        return this.#table(block);
      case 'details':
        return this.#details(block);
      default: {
        const text = escapeLineStarts(trimLines(this.#inline(block.childNodes)));
        return text === '' ? undefined : text;
      }
    }
  }

  #heading(block: Element, level: number): string {
    const text = trimLines(this.#inline(block.childNodes));
    // Only underlined headings can have several lines.
    if (level <= 2 && text.includes('\n')) return `${escapeLineStarts(text)}\n${level === 1 ? '===' : '---'}`;
    const line = text
      .split('\n')
      .map((part) => part.trimEnd())
      .join(' ');
    return `${'#'.repeat(level)} ${escapeClosingSigns(line)}`.trimEnd();
  }

  #code(pre: Element): string | undefined {
    const code = pre.querySelector('code') ?? pre;
    const text = this.getVerbatim(code);
    if (this.#range && text === '') return undefined;
    const language = /\blanguage-(\S+)/.exec(code.className)?.[1] ?? '';
    const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
    const fence = '`'.repeat(longest + 1);
    return `${fence}${language}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}`;
  }

  #list(list: Element, alternate: boolean): string {
    const items = [...unwrapGroups(list)].filter((item) => item instanceof Element);
    const tight = items.every((item) =>
      [...item.children].every((child) => !child.matches('p:not(.md-html)')),
    );
    const first = Number(list.getAttribute('start') ?? 1);
    const written = items.flatMap((item, index) => {
      if (!this.#has(item)) return [];
      const marker =
        list.localName === 'ul' ? (alternate ? '*' : '-') : `${first + index}${alternate ? ')' : '.'}`;
      const box = item.querySelector(':scope > input, :scope > p:first-child > input');
      const done = box instanceof HTMLInputElement && box.checked;
      const content = `${box ? `[${done ? 'x' : ' '}] ` : ''}${this.#blocks(item, tight)}`;
      return [prefixLines(content, `${marker} `, ' '.repeat(marker.length + 1)).trimEnd()];
    });
    return written.join(tight ? '\n' : '\n\n');
  }

  #details(details: Element): string {
    const summary = details.querySelector(':scope > summary');
    const title = summary ? trimLines(this.#inline(summary.childNodes)) : '';
    const content = this.#blocks(details, false);
    return [
      '<details>',
      ...(title === '' ? [] : [`\n<summary>${title}</summary>`]),
      content && `\n\n${content}`,
      '\n\n</details>',
    ].join('');
  }

  #table(table: Element): string {
    const [head, ...rows] = table.querySelectorAll('tr');
    if (!head) return '';
    // A table needs a header: it is included with any of its rows.
    const heading = this.#has(head) ? this : new DomMarkdown();
    const alignments = [...head.children].map((cell) => {
      const align = /\balign-(\w+)/.exec(cell.className)?.[1];
      return `${align === 'left' || align === 'center' ? ':' : ''}---${align === 'right' || align === 'center' ? ':' : ''}`;
    });
    const lines = rows.filter((row) => this.#has(row)).map((row) => this.#row(row));
    return [heading.#row(head), `| ${alignments.join(' | ')} |`, ...lines].join('\n');
  }

  #row(row: Element): string {
    const cells = [...row.children].map((cell) =>
      trimLines(this.#inline(cell.childNodes))
        .replace(/\s*\n\s*/g, ' ')
        .replace(/\|/g, '\\|'),
    );
    return `| ${cells.join(' | ')} |`;
  }

  #inline(nodes: Iterable<Node>): string {
    return [...nodes].map((node) => this.#inlineNode(node)).join('');
  }

  #inlineNode(node: Node): string {
    if (node instanceof Text) {
      const text = escapeText(this.getText(node));
      return node.parentElement?.closest('a') ? text.replaceAll('[', '\\[') : text;
    }
    if (node instanceof Comment) return this.#comment(node);
    if (!(node instanceof Element) || !this.#has(node)) return '';
    switch (node.localName) {
      case 'em':
        return this.#marked(node, node.parentElement?.localName === 'em' ? '_' : '*');
      case 'strong':
        return this.#marked(node, '**');
      case 'del':
        return isStruck(node) ? this.#marked(node, '~~') : this.#tagged(node);
      case 'sub':
      case 'sup':
      case 'kbd':
      case 'mark':
      case 'u':
      case 'ins':
      case 'details':
      case 'summary':
        return this.#tagged(node);
      case 'code':
        return formatInlineCode(this.getVerbatim(node));
      case 'br':
        return isLineEnd(node) ? '\\\n' : '<br>';
      case 'img':
        return formatPicture(node);
      case 'input':
        return '';
      case 'a':
        return this.#link(node);
      default:
        return node.matches('.md-math') ? this.#formula(node) : this.#inline(node.childNodes);
    }
  }

  /** Writes marks around words only: spaces at a cut stay outside. */
  #marked(element: Element, mark: string): string {
    const whole = this.#inline(element.childNodes);
    const text = whole.trim();
    if (text === '') return whole;
    const start = whole.length - whole.trimStart().length;
    return `${whole.slice(0, start)}${mark}${text}${mark}${whole.slice(start + text.length)}`;
  }

  /** Writes an element that a tag created. */
  #tagged({ localName, childNodes }: Element): string {
    const text = this.#inline(childNodes);
    return this.#range && text === '' ? '' : `<${localName}>${text}</${localName}>`;
  }

  #comment(comment: Comment): string {
    return this.#has(comment) ? `<!--${comment.data}-->` : '';
  }

  #link(link: Element): string {
    const href = link.getAttribute('href');
    const text = this.#inline(link.childNodes);
    if (href === null || (this.#range && text === '')) return text;
    const whole = this.getVerbatim(link);
    // Without lone surrogates, which no URL can contain.
    const isAddress =
      /^[a-z][a-z0-9+.-]+:[^\s<>$\p{Surrogate}]*$/iu.test(whole) &&
      encodeURI(whole).replaceAll('%25', '%') === href;
    if (isAddress && !link.hasAttribute('title')) return `<${whole}>`;
    return formatTarget(text, href, link.getAttribute('title'));
  }

  /** A drawn formula keeps its source in a data attribute. */
  #formula(element: Element): string {
    const source = (element instanceof HTMLElement && element.dataset.source) || element.textContent;
    return element.localName === 'span' ? source.replace(/\s*\n\s*/g, ' ') : source;
  }
}

/** Writes only the alternative text of a picture that isn't shown. */
function formatPicture(image: Element): string {
  const alt = escapeText(image.getAttribute('alt') ?? '');
  const source = image.getAttribute('src');
  return source === null ? alt : `!${formatTarget(alt, source, image.getAttribute('title'))}`;
}

function prefixLines(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? others.trimEnd() : others + line))
    .join('\n');
}
