import markdownIcon from '@vscode/codicons/src/icons/markdown.svg';
import newFileIcon from '@vscode/codicons/src/icons/new-file.svg';
import noteIcon from '@vscode/codicons/src/icons/note.svg';
import tableIcon from '@vscode/codicons/src/icons/table.svg';
import { createButton } from '../base/elements';
import { t } from '../base/l10n';
import { createCopyButton } from '../code/codeToolbar';
import { DomMarkdown } from '../markdown/serialize/domMarkdown';
import type { Services } from '../page/pageServices';
import { tableToCsv } from './csv';

/** A wide table scrolls under its header, which needs a height of its own, and by keyboard. */
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isWide = target.scrollWidth > target.clientWidth;
    target.classList.toggle('wide', isWide);
    if (isWide) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});

/** Adds buttons that copy a table and open it as a file. */
export function addTableToolbar(block: HTMLElement, page: Services['page']): void {
  const table = block.querySelector('table');
  if (!table) return;
  const toMarkdown = () => new DomMarkdown().writeBlocks(block);
  const copy = (text: string) => {
    page.post({ type: 'copy', text });
    page.announce(t('Copied'));
  };
  const open = (text: string, language: string) =>
    page.post({ type: 'newFile', text: `${text}\n`, language });
  const bar = document.createElement('div');
  bar.className = 'code-bar table-bar';
  bar.append(
    createCopyButton(() => copy(toMarkdown()), markdownIcon, t('Copy Table as Markdown')),
    createCopyButton(() => copy(tableToCsv(table)), tableIcon, t('Copy Table as CSV')),
    createButton(noteIcon, t('Open Table as Markdown File'), () => open(toMarkdown(), 'markdown')),
    createButton(newFileIcon, t('Open Table as CSV File'), () => open(tableToCsv(table), 'csv')),
  );
  block.prepend(bar);
  widths.observe(table);
}
