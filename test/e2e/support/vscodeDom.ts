/** Selectors of VS Code's own elements: adjust them here when a version of VS Code changes its DOM. */
export const vscodeDom = {
  quickInput: {
    widget: '.quick-input-widget:not(.quick-input-widget-closing):visible',
    title: '.quick-input-title',
    message: '.quick-input-message',
    row: '.quick-input-list .monaco-list-row',
    label: '.quick-input-list .label-name',
    focusedLabel: '.monaco-list-row.focused .label-name',
    checkbox: '.monaco-checkbox',
  },
  explorer: {
    row: '.explorer-folders-view .monaco-list-row',
    focusedTree: '.explorer-folders-view .monaco-list:focus',
    focusedRow: '.explorer-folders-view .monaco-list:focus .monaco-list-row.focused',
  },
  menu: {
    menu: '.monaco-menu',
    item: '.monaco-menu .action-item',
    label: '.monaco-menu .action-label',
    focusedItem: '.monaco-menu .action-item.focused',
  },
  editor: {
    part: '.part.editor',
    tabName: '.tabs-container .tab .label-name',
    lines: '.editor-instance .view-lines',
    line: '.editor-instance .view-line',
    anyLine: '.view-line',
    word: '.editor-instance .view-line span span',
    focused: '.monaco-editor.focused',
    diff: '.monaco-diff-editor',
    diffLine: '.monaco-diff-editor .view-line',
  },
  dialog: {
    box: '.monaco-dialog-box',
    text: '.dialog-message-container',
    focusedButton: '.monaco-button:focus',
  },
  notifications: {
    toast: '.notifications-toasts .notification-list-item',
    /** A toast that no longer slides in. */
    settledToast: '.notifications-toasts .notification-fade-in-done .notification-list-item',
    message: '.notification-list-item-message',
  },
  sideBar: {
    secondary: '.part.auxiliarybar',
    badge: '.auxiliarybar .badge-content',
  },
  statusBar: {
    item: '.statusbar-item',
    parley: '[id="parley.parley.parley.status"]',
  },
  chat: {
    session: '.interactive-session',
    input: '.interactive-input-part .monaco-editor',
    attachment: '.interactive-input-part .chat-attached-context-attachment',
    response: '.interactive-response',
    listedResponse: '.interactive-session .interactive-list .interactive-response',
    notLoading: ':not(.chat-response-loading)',
    anchor: '.chat-inline-anchor-widget',
  },
  walkthrough: {
    step: '.getting-started-step',
    stepTitle: '.step-title',
  },
} as const;

/** Returns the selector of a file's active tab; `dirty`: with unsaved changes. */
export function getActiveTabSelector(fileName: string, dirty = false): string {
  return `.tab.active${dirty ? '.dirty' : ''}[data-resource-name="${fileName}"]`;
}

/** Returns the selector of a file's row in the Explorer. */
export function getExplorerRowSelector(fileName: string): string {
  return `${vscodeDom.explorer.row}[aria-label^="${fileName}"]`;
}

/** Returns the selector of a row in VS Code's Chat, counted from 0. */
export function getChatRowSelector(index: number): string {
  return `${vscodeDom.chat.session} [data-index="${index}"]`;
}
