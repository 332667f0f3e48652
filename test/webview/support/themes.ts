/** VS Code's kinds of themes. */
export const themes = ['dark', 'light', 'hcDark', 'hcLight'] as const;
export type Theme = (typeof themes)[number];

/** Their class names on a webview's body. */
export const bodyClasses: Readonly<Record<Theme, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  hcDark: 'vscode-high-contrast',
  hcLight: 'vscode-high-contrast-light vscode-high-contrast',
};

/**
 * Colors of VS Code's own themes as webviews get them: enough to look at the page and to measure contrast. By variable
 * without `--vscode-`; null if the theme has none.
 */
const colors: Record<string, readonly [string | null, string | null, string | null, string | null]> = {
  'sideBar-background': ['#181818', '#f8f8f8', '#000000', '#ffffff'],
  foreground: ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  disabledForeground: ['rgba(204, 204, 204, 0.5)', 'rgba(97, 97, 97, 0.5)', '#a5a5a5', '#7f7f7f'],
  descriptionForeground: ['#9d9d9d', '#3b3b3b', 'rgba(255, 255, 255, 0.7)', 'rgba(41, 41, 41, 0.7)'],
  errorForeground: ['#f85149', '#f85149', '#f48771', '#b5200d'],
  focusBorder: ['#0078d4', '#005fb8', '#f38518', '#006bbd'],
  contrastBorder: [null, null, '#6fc3df', '#0f4a85'],
  contrastActiveBorder: [null, null, '#f38518', '#006bbd'],
  'icon-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'widget-border': ['#313131', '#e5e5e5', '#6fc3df', '#0f4a85'],
  'widget-shadow': ['rgba(0, 0, 0, 0.36)', 'rgba(0, 0, 0, 0.16)', null, null],
  'panel-border': ['#2b2b2b', '#e5e5e5', '#6fc3df', '#0f4a85'],
  'editor-background': ['#1f1f1f', '#ffffff', '#000000', '#ffffff'],
  'editor-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'editor-inactiveSelectionBackground': ['#3a3d41', '#e5ebf1', null, 'rgba(15, 74, 133, 0.5)'],
  'editorWidget-background': ['#202020', '#f8f8f8', '#0c141f', '#ffffff'],
  'editorWidget-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'editor-findMatchHighlightBackground': ['#ea5c0055', '#ea5c0055', null, null],
  'editor-findMatchHighlightBorder': [null, null, '#f38518', '#0f4a85'],
  'editor-findMatchBackground': ['#9e6a03', '#a8ac94', null, null],
  'editor-findMatchBorder': [null, null, '#f38518', '#0f4a85'],
  'editor-findRangeHighlightBackground': ['#3a3d4166', '#b4b4b44d', null, null],
  'pickerGroup-foreground': ['#3794ff', '#0066bf', '#ffffff', '#0f4a85'],
  'button-background': ['#0078d4', '#005fb8', '#000000', '#0f4a85'],
  'button-foreground': ['#ffffff', '#ffffff', '#ffffff', '#ffffff'],
  'button-border': ['rgba(255, 255, 255, 0.1)', 'rgba(0, 0, 0, 0.1)', '#6fc3df', '#0f4a85'],
  'button-hoverBackground': ['#026ec1', '#0258a8', '#000000', '#0f4a85'],
  'button-secondaryBackground': ['rgba(0, 0, 0, 0)', '#e5e5e5', '#000000', '#ffffff'],
  'button-secondaryForeground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'button-secondaryHoverBackground': ['#2b2b2b', '#cccccc', null, null],
  'editorHoverWidget-background': ['#202020', '#f8f8f8', '#0c141f', '#ffffff'],
  'editorHoverWidget-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'editorHoverWidget-border': ['#454545', '#c8c8c8', '#6fc3df', '#0f4a85'],
  'inputOption-activeBackground': ['#2488db82', '#bed6ed', 'rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)'],
  'inputOption-activeForeground': ['#ffffff', '#000000', '#ffffff', '#292929'],
  'inputOption-activeBorder': ['#2488db', '#005fb8', '#6fc3df', '#0f4a85'],
  'input-background': ['#313131', '#ffffff', '#000000', '#ffffff'],
  'input-border': ['#3c3c3c', '#cecece', '#6fc3df', '#0f4a85'],
  'input-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'input-placeholderForeground': ['#989898', '#767676', 'rgba(255, 255, 255, 0.7)', 'rgba(41, 41, 41, 0.7)'],
  'inputValidation-infoBorder': ['#007acc', '#007acc', '#6fc3df', '#0f4a85'],
  'inputValidation-warningBorder': ['#b89500', '#b89500', '#6fc3df', '#0f4a85'],
  'inputValidation-errorBorder': ['#be1100', '#be1100', '#6fc3df', '#0f4a85'],
  'notificationsInfoIcon-foreground': ['#3794ff', '#1a85ff', '#3794ff', '#1a85ff'],
  'notificationsWarningIcon-foreground': ['#cca700', '#bf8803', '#ffd370', '#895503'],
  'notificationsErrorIcon-foreground': ['#f14c4c', '#e51400', '#f48771', '#b5200d'],
  'toolbar-hoverBackground': ['rgba(90, 93, 94, 0.31)', 'rgba(184, 184, 184, 0.31)', null, null],
  'toolbar-hoverOutline': [null, null, '#f38518', '#006bbd'],
  'menu-background': ['#1f1f1f', '#ffffff', '#000000', '#ffffff'],
  'menu-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'menu-selectionBackground': ['#0078d4', '#005fb8', null, 'rgba(15, 74, 133, 0.1)'],
  'menu-selectionForeground': ['#ffffff', '#ffffff', null, null],
  'menu-selectionBorder': [null, null, '#f38518', '#006bbd'],
  'quickInput-background': ['#222222', '#f8f8f8', '#0c141f', '#ffffff'],
  'quickInput-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'quickInputList-focusBackground': ['#04395e', '#e8e8e8', null, 'rgba(15, 74, 133, 0.1)'],
  'quickInputList-focusForeground': ['#ffffff', '#000000', null, null],
  'list-focusOutline': ['#0078d4', '#005fb8', '#f38518', '#006bbd'],
  'progressBar-background': ['#0078d4', '#005fb8', '#6fc3df', '#0f4a85'],
  'badge-background': ['#616161', '#cccccc', '#000000', '#0f4a85'],
  'activityBarBadge-background': ['#0078d4', '#005fb8', '#000000', '#0f4a85'],
  'charts-green': ['#89d185', '#388a34', '#89d185', '#374e06'],
  'scrollbarSlider-background': [
    'rgba(121, 121, 121, 0.4)',
    'rgba(100, 100, 100, 0.4)',
    'rgba(111, 195, 223, 0.6)',
    'rgba(15, 74, 133, 0.4)',
  ],
  'textLink-foreground': ['#4daafc', '#005fb8', '#21a6ff', '#0f4a85'],
  'textLink-activeForeground': ['#4daafc', '#005fb8', '#21a6ff', '#0f4a85'],
  'textPreformat-foreground': ['#d0d0d0', '#3b3b3b', '#ffffff', '#ffffff'],
  'textPreformat-background': ['#3c3c3c', 'rgba(0, 0, 0, 0.12)', null, '#09345f'],
  'textBlockQuote-background': ['#2b2b2b', '#f8f8f8', null, '#f2f2f2'],
  'textBlockQuote-border': ['#616161', '#e5e5e5', '#ffffff', '#292929'],
  'textSeparator-foreground': ['#21262d', '#21262d', '#000000', '#292929'],
  'chat-requestBorder': ['rgba(255, 255, 255, 0.1)', 'rgba(0, 0, 0, 0.1)', '#6fc3df', '#0f4a85'],
  'chat-requestBubbleBackground': ['rgba(38, 79, 120, 0.3)', 'rgba(173, 214, 255, 0.3)', null, null],
  'chat-avatarBackground': ['#1f1f1f', '#f2f2f2', '#000000', '#ffffff'],
  'chat-avatarForeground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
};

/** The styles that VS Code inserts before a webview's own: variables, and default rules in a layer. */
export function themeStyles(theme: Theme): string {
  const column = themes.indexOf(theme);
  const variables = Object.entries(colors)
    .filter(([, values]) => values[column] !== null)
    .map(([name, values]) => `--vscode-${name}: ${values[column]};`);
  return `
    :root {
      ${variables.join('\n      ')}
      --vscode-font-family: system-ui, 'Ubuntu', 'Droid Sans', sans-serif;
      --vscode-font-size: 13px;
      --vscode-font-weight: normal;
      --vscode-editor-font-family: 'Droid Sans Mono', monospace;
      --vscode-editor-font-size: 12px;
      --text-link-decoration: ${theme.startsWith('hc') ? 'underline' : 'none'};
      background: var(--vscode-sideBar-background);
    }
    @layer vscode-default {
      html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
      body { background-color: transparent; color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family);
        font-weight: var(--vscode-font-weight); font-size: var(--vscode-font-size); margin: 0; padding: 0 20px; }
      a, a code { color: var(--vscode-textLink-foreground); }
      p > a { text-decoration: var(--text-link-decoration); }
      a:hover { color: var(--vscode-textLink-activeForeground); }
      a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
      code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background);
        padding: 1px 3px; border-radius: 4px; }
      pre code { padding: 0; }
      blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
    }`;
}
