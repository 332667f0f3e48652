import { type IconName, iconElement } from './icons';
import type { MarkdownHooks } from './markdown/markdownStream';
import type { Page } from './page';
import { strings } from './strings';

/** How long (ms) a button says that it copied. */
const FEEDBACK = 2000;

/** The blocks of code in a reply: each under a bar with its language and what can be done with it. */
export function codeBlockHooks(page: Page): MarkdownHooks {
  return {
    codeBlock(pre, language, text) {
      const bar = element('div', 'code-bar');
      const name = element('span', 'code-language');
      name.append(language || strings.plainText);
      bar.append(
        name,
        copyButton(page, text),
        button('insert', strings.insertAtCursor, () => page.post({ type: 'insertAtCursor', text: text() })),
        button('newFile', strings.newFile, () => page.post({ type: 'newFile', text: text(), language })),
      );
      // Long lines scroll inside the block, by keyboard too.
      pre.tabIndex = 0;
      page.highlighter.block(pre, language);
      const block = element('div', 'code-block');
      block.append(bar, pre);
      return block;
    },
    codeLine: (pre, line) => page.highlighter.line(pre, line),
  };
}

function copyButton(page: Page, text: () => string): HTMLElement {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const copy = button('copy', strings.copy, () => {
    page.post({ type: 'copy', text: text() });
    page.announce(strings.copied);
    show(copy, 'check', strings.copied);
    clearTimeout(timer);
    timer = setTimeout(() => show(copy, 'copy', strings.copy), FEEDBACK);
  });
  return copy;
}

function button(icon: IconName, name: string, onClick: () => void): HTMLElement {
  const result = element('button', 'icon-button');
  result.setAttribute('type', 'button');
  show(result, icon, name);
  result.addEventListener('click', onClick);
  return result;
}

function show(target: HTMLElement, icon: IconName, name: string): void {
  target.replaceChildren(iconElement(icon));
  target.setAttribute('aria-label', name);
  target.title = name;
}

function element(tag: string, className: string): HTMLElement {
  const result = document.createElement(tag);
  result.className = className;
  return result;
}
