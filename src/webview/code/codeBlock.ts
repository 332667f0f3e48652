import { parseInfoLanguage } from '../files/fileReference';
import type { MarkdownHooks } from '../markdown/base/hooks';
import type { Page } from '../page/page';
import { createCodeToolbar } from './codeToolbar';

/** Creates the hooks that color a reply's code blocks, put a toolbar above each, and render formulas. */
export function createCodeBlockHooks(page: Page): MarkdownHooks {
  return {
    codeBlock(pre, _, text, info) {
      const language = parseInfoLanguage(info);
      // Focusable, so that long lines can be scrolled by keyboard.
      pre.tabIndex = 0;
      page.highlighter.addBlock(pre, language);
      return createCodeToolbar(page, { pre, language, info, text });
    },
    codeLine: (pre, line) => page.highlighter.addLine(pre, line),
    formula: (element, tex, display) => page.formulas.addFormula({ element, tex, display }),
  };
}
