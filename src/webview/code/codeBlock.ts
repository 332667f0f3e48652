import { parseInfoLanguage } from '../files/fileReference';
import type { PageHooks } from '../markdown/markdownStream';
import type { Services } from '../page/pageServices';
import { createCodeToolbar } from './codeToolbar';

/** Creates the hooks that color a reply's code blocks, put a toolbar above each, render formulas, and wrap tables. */
export function createCodeBlockHooks(
  services: Pick<Services, 'host' | 'page' | 'files' | 'highlighter' | 'formulas'>,
): PageHooks {
  const { highlighter, formulas } = services;
  return {
    codeBlock(pre, _, text, info) {
      const language = parseInfoLanguage(info);
      // Focusable, so that long lines can be scrolled by keyboard.
      pre.tabIndex = 0;
      highlighter.addBlock(pre, language);
      return createCodeToolbar(services, { pre, language, info, text });
    },
    codeLine: (pre, line) => highlighter.addLine(pre, line),
    table(table) {
      const block = document.createElement('div');
      block.className = 'table-block';
      block.append(table);
      return block;
    },
    formula: (element, tex, display) => formulas.addFormula({ element, tex, display }),
  };
}
