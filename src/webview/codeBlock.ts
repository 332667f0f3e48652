import { codeToolbar } from './codeToolbar';
import type { MarkdownHooks } from './markdown/markdownStream';
import { languageOfInfo } from './namedFile';
import type { Page } from './page';

/** The blocks of code in a reply: coloured, and each under a bar of what can be done with it. */
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
  };
}
