import { createJavaScriptRawEngine } from '@shikijs/engine-javascript/raw';
import { codeToTokensBase, createShikiPrimitive } from '@shikijs/primitive';
import { EmulatedRegExp } from 'oniguruma-to-es';
import type { CodeTheme } from '../../../src/shared/view/codeTheme';
import { grammarFiles } from '../../../src/webview/highlight/grammarFiles';
import { Highlighter } from '../../../src/webview/highlight/highlighter';
import { parseGrammar } from '../../../src/webview/highlight/worker/workerMessages';
import { MarkdownStream } from '../../../src/webview/markdown/markdownStream';

/** The color of plain code. */
const PLAIN_COLOR = '#0a0b0c';

const highlighter = new Highlighter();

/** Returns the style of each character of a block streamed in pieces, except blanks; pauses let lines be colored in between. */
export async function getStreamedStyles(
  language: string,
  code: string,
  offsets: readonly number[],
  theme: CodeTheme,
): Promise<string[]> {
  const container = document.createElement('div');
  container.style.color = PLAIN_COLOR;
  document.body.replaceChildren(container);
  highlighter.setTheme(theme);
  const stream = new MarkdownStream(container, {
    codeBlock(pre, name) {
      highlighter.addBlock(pre, name);
      return pre;
    },
    codeLine: (pre, line) => highlighter.addLine(pre, line),
  });
  const text = `\`\`\`${language}\n${code}\n\`\`\`\n`;
  let from = 0;
  for (const [index, offset] of [...offsets, text.length].entries()) {
    stream.appendMarkdown(text.slice(from, offset));
    from = offset;
    if (index % 3 === 2) await highlighter.whenIdle();
  }
  stream.end();
  await highlighter.whenIdle();
  return getStyles(container.querySelector('code') as Element);
}

function getStyles(code: Element): string[] {
  const result: string[] = [];
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const style = getComputedStyle(node.parentElement as Element);
    const flags = [
      style.fontStyle === 'italic' && 'italic',
      style.fontWeight === '700' && 'bold',
      /underline|line-through/.exec(style.textDecorationLine)?.[0],
    ].filter(Boolean);
    for (const character of (node as Text).data) {
      if (/\S/.test(character)) result.push(`${character} ${style.color} ${flags.join(' ')}`);
    }
  }
  return result;
}

/** Returns the same for Shiki's own tokens of the whole text. */
export async function getExpectedStyles(language: string, code: string, theme: CodeTheme): Promise<string[]> {
  const grammars = (await grammarFiles[language]?.())?.default ?? [];
  const settings = theme.map(({ scope, ...look }) => ({ scope: [...scope], settings: look }));
  const shiki = createShikiPrimitive({
    engine: createJavaScriptRawEngine(),
    langs: grammars.map(({ json }) =>
      parseGrammar(json, (source, flags, options) => new EmulatedRegExp(source, flags, options)),
    ),
    themes: [{ name: 'sample', type: 'light', fg: PLAIN_COLOR, bg: '#ffffff', settings }],
    warnings: false,
  });
  const probe = document.createElement('span');
  document.body.append(probe);
  const result: string[] = [];
  for (const { content, color = '', fontStyle = 0 } of codeToTokensBase(shiki, code, {
    lang: language,
    theme: 'sample',
    // Shiki cuts a line off after 500 ms, which a slow machine may take for the first one.
    tokenizeTimeLimit: 0,
  }).flat()) {
    probe.style.color = color;
    const flags = [
      fontStyle & 1 && 'italic',
      fontStyle & 2 && 'bold',
      fontStyle & 4 ? 'underline' : fontStyle & 8 && 'line-through',
    ].filter(Boolean);
    for (const character of content) {
      if (/\S/.test(character)) {
        result.push(`${character} ${getComputedStyle(probe).color} ${flags.join(' ')}`);
      }
    }
  }
  probe.remove();
  shiki.dispose();
  return result;
}
