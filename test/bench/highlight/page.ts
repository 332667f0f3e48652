import { createJavaScriptRawEngine } from '@shikijs/engine-javascript/raw';
import typescript from '@shikijs/langs-precompiled/typescript';
import { codeToTokensBase, createShikiPrimitive } from '@shikijs/primitive';
import type { CodeTheme } from '../../../src/shared/view/codeTheme';
import { Highlighter } from '../../../src/webview/highlight/highlighter';
import { MarkdownStream } from '../../../src/webview/markdown/markdownStream';

/** A renderer that shows a block of TypeScript while it streams. */
interface Contender {
  append(text: string): void;
  /** Called after all text was appended; resolves when the final state is shown. */
  end(): Promise<void> | void;
}

/** The lines per group in the plain text. */
const LINES_PER_GROUP = 50;

const theme: CodeTheme = [
  { scope: ['comment'], foreground: '#6a9955' },
  { scope: ['string'], foreground: '#ce9178' },
  { scope: ['keyword', 'storage'], foreground: '#569cd6' },
  { scope: ['keyword.control'], foreground: '#c586c0' },
  { scope: ['constant.numeric'], foreground: '#b5cea8' },
  { scope: ['entity.name.type', 'support.type', 'support.class'], foreground: '#4ec9b0' },
  { scope: ['entity.name.function', 'support.function'], foreground: '#dcdcaa' },
  { scope: ['variable'], foreground: '#9cdcfe' },
];

const highlighter = new Highlighter();

export const contenders: Record<string, (container: HTMLElement) => Contender> = {
  'plain text (the limit)': createPlainText,
  Parley: (container) => createParley(container, true),
  'Parley, no colours': (container) => createParley(container, false),
  'Shiki, whole block': (container) => showWhole(container, showWithShiki),
};

/**
 * Shows the code in updates, each laid out with the end in view, with a frame now and then or, with `apart`,
 * each update in a separate task.
 */
export async function run(
  name: string,
  code: string,
  chunk: number,
  apart: boolean,
): Promise<{ longest: number }> {
  const scroller = document.createElement('div');
  scroller.className = 'scroller';
  const container = document.createElement('div');
  container.className = 'markdown';
  scroller.append(container);
  document.body.replaceChildren(scroller);
  await frame();
  const contender = contenders[name]?.(container);
  if (!contender) throw new Error(`There is no ${name}.`);
  performance.mark('start');
  let longest = 0;
  for (let from = 0; from < code.length; from += chunk) {
    const start = performance.now();
    contender.append(code.slice(from, from + chunk));
    scroller.scrollTop = scroller.scrollHeight;
    longest = Math.max(longest, performance.now() - start);
    if (apart) await new Promise((resolve) => setTimeout(resolve));
    else if ((from / chunk) % 16 === 15) await frame();
  }
  await contender.end();
  await frame();
  await frame();
  performance.mark('end');
  return { longest };
}

function createParley(container: HTMLElement, colors: boolean): Contender {
  highlighter.setTheme(theme);
  const stream = new MarkdownStream(container, {
    codeBlock(pre, language) {
      if (colors) highlighter.addBlock(pre, language);
      return pre;
    },
    codeLine: (pre, line) => highlighter.addLine(pre, line),
  });
  stream.appendMarkdown('```ts\n');
  return {
    append: (text) => stream.appendMarkdown(text),
    end() {
      stream.end();
      return highlighter.whenIdle();
    },
  };
}

/** Shows a text node per line, in groups; closed groups cost nothing out of view. */
function createPlainText(container: HTMLElement): Contender {
  const code = createCodeElement(container);
  let group: HTMLElement | undefined;
  let lines = 0;
  let line: Text | undefined;
  return {
    append(text) {
      for (const part of text.split(/(?<=\n)/)) {
        if (line) line.appendData(part);
        else {
          if (!group || lines === LINES_PER_GROUP) {
            group?.classList.add('closed');
            group = document.createElement('span');
            group.className = 'md-lines';
            code.append(group);
            lines = 0;
          }
          line = document.createTextNode(part);
          group.append(line);
          lines++;
        }
        if (part.endsWith('\n')) line = undefined;
      }
    },
    end: noop,
  };
}

/** Renders all text again for each update. */
export function showWhole(
  container: HTMLElement,
  show: (code: HTMLElement, text: string) => void,
): Contender {
  const code = createCodeElement(container);
  let all = '';
  return {
    append(text) {
      all += text;
      show(code, all);
    },
    end: noop,
  };
}

const shiki = createShikiPrimitive({
  engine: createJavaScriptRawEngine(),
  langs: [...typescript],
  themes: [
    {
      name: 'bench',
      type: 'dark',
      settings: theme.map(({ scope, ...settings }) => ({ scope: [...scope], settings })),
    },
  ],
});

function showWithShiki(code: HTMLElement, text: string): void {
  const nodes = codeToTokensBase(shiki, text, { lang: 'typescript', theme: 'bench' }).flatMap((tokens) => [
    ...tokens.map(({ content, color = '' }) => {
      const span = document.createElement('span');
      span.style.color = color;
      span.append(content);
      return span;
    }),
    document.createTextNode('\n'),
  ]);
  code.replaceChildren(...nodes);
}

function createCodeElement(container: HTMLElement): HTMLElement {
  const pre = document.createElement('pre');
  const code = document.createElement('code');
  pre.append(code);
  container.append(pre);
  return code;
}

function frame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

function noop(): void {
  // All appended text is already shown.
}
