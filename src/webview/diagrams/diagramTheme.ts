import type { DrawRequest } from './frame/frameMessages';

/** Mermaid's variables, each with the colors of VS Code's theme to try in turn. */
const COLORS: Readonly<Record<string, readonly string[]>> = {
  background: ['editor-background'],
  primaryColor: ['editorWidget-background', 'editor-background'],
  primaryTextColor: ['editor-foreground', 'foreground'],
  primaryBorderColor: ['contrastBorder', 'charts-blue', 'focusBorder'],
  secondaryColor: ['editor-inactiveSelectionBackground', 'editor-background'],
  secondaryTextColor: ['editor-foreground', 'foreground'],
  secondaryBorderColor: ['contrastBorder', 'charts-green', 'focusBorder'],
  tertiaryColor: ['sideBar-background', 'editor-background'],
  tertiaryTextColor: ['editor-foreground', 'foreground'],
  tertiaryBorderColor: ['contrastBorder', 'widget-border', 'descriptionForeground'],
  lineColor: ['editor-foreground', 'foreground'],
  textColor: ['editor-foreground', 'foreground'],
  noteBkgColor: ['editorHoverWidget-background', 'editor-background'],
  noteTextColor: ['editorHoverWidget-foreground', 'editor-foreground'],
  noteBorderColor: ['contrastBorder', 'editorHoverWidget-border', 'focusBorder'],
  edgeLabelBackground: ['editor-background'],
  clusterBkg: ['sideBar-background', 'editor-background'],
  clusterBorder: ['contrastBorder', 'widget-border', 'descriptionForeground'],
};

/** Reads VS Code's theme from the page's variables, as colors that Mermaid can parse. */
export function readTheme(): Pick<DrawRequest, 'isDark' | 'themeVariables'> & {
  readonly background: string;
} {
  const style = getComputedStyle(document.documentElement);
  const context = document.createElement('canvas').getContext('2d');
  const parseColor = (name: string): string | undefined => {
    const value = style.getPropertyValue(`--vscode-${name}`).trim();
    if (value === '' || !context || !CSS.supports('color', value)) return undefined;
    context.fillStyle = value;
    return context.fillStyle;
  };
  const colors = Object.entries(COLORS).flatMap(([variable, names]) => {
    const color = names.map(parseColor).find((found) => found !== undefined);
    return color === undefined ? [] : [[variable, color]];
  });
  const { classList } = document.body;
  const isDark =
    classList.contains('vscode-dark') ||
    (classList.contains('vscode-high-contrast') && !classList.contains('vscode-high-contrast-light'));
  const themeVariables: Record<string, string> = Object.fromEntries(colors);
  const fontFamily = style.getPropertyValue('--vscode-font-family').trim() || 'sans-serif';
  return {
    isDark,
    themeVariables: { ...themeVariables, fontFamily, fontSize: '14px' },
    background: themeVariables.background ?? (isDark ? '#1e1e1e' : '#ffffff'),
  };
}
