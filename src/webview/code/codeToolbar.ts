import checkIcon from '@vscode/codicons/src/icons/check.svg';
import copyIcon from '@vscode/codicons/src/icons/copy.svg';
import diffIcon from '@vscode/codicons/src/icons/diff.svg';
import insertIcon from '@vscode/codicons/src/icons/insert.svg';
import newFileIcon from '@vscode/codicons/src/icons/new-file.svg';
import replaceIcon from '@vscode/codicons/src/icons/replace.svg';
import terminalIcon from '@vscode/codicons/src/icons/terminal.svg';
import diagramIcon from '@vscode/codicons/src/icons/type-hierarchy.svg';
import wordWrapIcon from '@vscode/codicons/src/icons/word-wrap.svg';
import type { CodeAction } from '../../shared/protocol/toPage';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { createButton, createElement, setIcon } from '../base/elements';
import { t } from '../base/l10n';
import { type FileReference, parseCaptionFile, parseInfoFile } from '../files/fileReference';
import type { Services } from '../page/pageServices';
import { getShellCommands, isShell } from './shellCommands';

/** Time for which a button shows that it has copied. */
const FEEDBACK_MS = 2000;

/** Per block, adds the Apply button once the reply has ended. */
const applyOffers = new WeakMap<Element, () => Promise<void>>();

/** Ends the subscription of the block on which the context menu was opened last. */
let endMenu: (() => void) | undefined;

/** Creates a code block with a toolbar of its language and actions; the block's context menu has the same actions. */
export function createCodeToolbar(
  { host, page, files }: Pick<Services, 'host' | 'page' | 'files'>,
  code: { pre: HTMLElement; language: string; info: string; text: () => string },
): HTMLElement {
  const { pre, language, info, text } = code;
  const block = createElement('div', 'code-block');
  let file: FileReference | undefined;
  const copy = (copiedText: string) => {
    page.post({ type: 'copy', text: copiedText });
    page.announce(t('Copied'));
  };
  const actions: Record<CodeAction, () => void> = {
    // The menu replaces VS Code's own, where Copy applies to the selection.
    copy: () => copy(getSelectedText(pre) || text()),
    insertAtCursor: () => page.post({ type: 'insertAtCursor', text: text() }),
    replaceSelection: () => page.post({ type: 'replaceSelection', text: text() }),
    newFile: () => page.post({ type: 'newFile', text: text(), language: language.slice(0, 100) }),
    runInTerminal: () => page.post({ type: 'runInTerminal', text: getShellCommands(text()) }),
    reviewChange: () => {
      if (file) page.post({ type: 'reviewChange', ...file, text: text() });
    },
    toggleWrap: () => {
      const wrapped = block.classList.toggle('wrapped');
      wrap.setAttribute('aria-pressed', String(wrapped));
    },
  };
  const apply = createButton(diffIcon, t('Apply'), actions.reviewChange);
  const insert = createButton(insertIcon, t('Insert at Cursor'), actions.insertAtCursor);
  const wrap = createButton(wordWrapIcon, t('Wrap Lines'), actions.toggleWrap, 'rare');
  wrap.setAttribute('aria-pressed', 'false');
  const shell = isShell(language);
  const tellMenu = () => {
    block.dataset.vscodeContext = JSON.stringify({
      webviewSection: 'code',
      preventDefaultContextMenuItems: true,
      shellCode: shell,
      namesFile: file !== undefined,
    });
  };
  tellMenu();
  block.addEventListener('contextmenu', () => {
    endMenu?.();
    endMenu = host.events.on('codeAction', ({ action }) => actions[action]());
  });

  const name = createElement('span', 'code-language');
  name.append(escapeInvisible(language) || t('text'));
  const bar = createElement('div', 'code-bar');
  bar.append(
    name,
    wrap,
    ...(shell ? [createButton(terminalIcon, t('Run in Terminal'), actions.runInTerminal, 'rare')] : []),
    createButton(newFileIcon, t('New File'), actions.newFile, 'rare'),
    createButton(replaceIcon, t('Replace Selection'), actions.replaceSelection, 'rare'),
    ...(language.toLowerCase() === 'mermaid'
      ? [createButton(diagramIcon, t('Open Diagram'), () => page.post({ type: 'openDiagram', text: text() }))]
      : []),
    insert,
    createCopyButton(() => copy(text())),
  );
  block.append(bar, pre);

  applyOffers.set(block, async () => {
    const named = parseInfoFile(info) ?? findFileAbove(block);
    if (!named || !(await files.exists(named.path))) return;
    file = named;
    tellMenu();
    apply.title = t('Review and apply to {0}', named.path);
    insert.before(apply);
  });
  return block;
}

/** Offers to apply the code blocks that name a workspace file, once the reply has ended: partial code is never applied. */
export function offerApply(body: Element): void {
  for (const block of body.querySelectorAll('.code-block')) void applyOffers.get(block)?.();
}

/** Finds the file in the paragraph right above a block, if the paragraph contains nothing else. */
function findFileAbove(block: Element): FileReference | undefined {
  const above = block.previousElementSibling ?? block.parentElement?.previousElementSibling?.lastElementChild;
  return above?.localName === 'p' ? parseCaptionFile(above.textContent) : undefined;
}

function getSelectedText(within: Element): string {
  const selection = document.getSelection();
  return selection?.anchorNode && within.contains(selection.anchorNode) ? selection.toString() : '';
}

export function createCopyButton(onClick: () => void, icon = copyIcon, name = t('Copy')): HTMLElement {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const copy = createButton(icon, name, () => {
    onClick();
    setIcon(copy, checkIcon, t('Copied'));
    clearTimeout(timer);
    timer = setTimeout(() => setIcon(copy, icon, name), FEEDBACK_MS);
  });
  return copy;
}
