import { languageOfInfo } from '../files/fileReference';
import type { MarkdownHooks } from '../markdown/base/hooks';
import type { Page } from '../page/page';
import { codeToolbar } from './codeToolbar';

/** What the page makes of a reply's blocks of code: coloured, and each under a bar of what can be done with it; and formulas. */
export function codeBlockHooks(page: Page): MarkdownHooks {
  return {
    codeBlock(pre, _, text, info) {
      const language = languageOfInfo(info);
      // Long lines scroll inside the block, by keyboard too.
      pre.tabIndex = 0;
      page.highlighter.block(pre, language);
      return codeToolbar(page, { pre, language, info, text });
    },
    codeLine: (pre, line) => page.highlighter.line(pre, line),
    formula: (element, tex, display) => page.formulas.add({ element, tex, display }),
  };
}
