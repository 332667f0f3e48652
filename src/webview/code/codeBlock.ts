import { languageOfInfo } from '../files/fileReference';
import type { MarkdownHooks } from '../markdown/base/hooks';
import type { Page } from '../page/page';
import { codeToolbar } from './codeToolbar';

/** Creates the hooks that color a reply's code blocks, put a toolbar above each, and render formulas. */
export function codeBlockHooks(page: Page): MarkdownHooks {
  return {
    codeBlock(pre, _, text, info) {
      const language = languageOfInfo(info);
      // Focusable, so that long lines can be scrolled by keyboard.
      pre.tabIndex = 0;
      page.highlighter.block(pre, language);
      return codeToolbar(page, { pre, language, info, text });
    },
    codeLine: (pre, line) => page.highlighter.line(pre, line),
    formula: (element, tex, display) => page.formulas.add({ element, tex, display }),
  };
}
