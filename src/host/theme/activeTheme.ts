import * as vscode from 'vscode';

/** A colour theme that an extension brings. */
export interface ContributedTheme {
  /** What settings call it. */
  readonly name: string;
  readonly file: vscode.Uri;
}

const { ColorThemeKind } = vscode;

/** Which kind of theme a `uiTheme` is; VS Code takes others for dark. */
const KINDS: Readonly<Record<string, vscode.ColorThemeKind>> = {
  vs: ColorThemeKind.Light,
  'vs-dark': ColorThemeKind.Dark,
  'hc-black': ColorThemeKind.HighContrast,
  'hc-light': ColorThemeKind.HighContrastLight,
};

const PREFERRED: Readonly<Record<vscode.ColorThemeKind, string>> = {
  [ColorThemeKind.Light]: 'preferredLightColorTheme',
  [ColorThemeKind.Dark]: 'preferredDarkColorTheme',
  [ColorThemeKind.HighContrast]: 'preferredHighContrastColorTheme',
  [ColorThemeKind.HighContrastLight]: 'preferredHighContrastLightColorTheme',
};

/**
 * The theme that is shown: the one of the settings that name one whose kind is the window's. The system's own choice
 * of light, dark or high contrast isn't told to extensions, but the window's kind follows it.
 */
export function activeTheme(): ContributedTheme | undefined {
  const { kind } = vscode.window.activeColorTheme;
  const themes = contributedThemes();
  const candidates = settingsInOrder(kind).map((name) => find(themes, name));
  const known = candidates.filter((each) => each !== undefined);
  return known.find((each) => each.kind === kind) ?? known[0];
}

function settingsInOrder(kind: vscode.ColorThemeKind): (string | undefined)[] {
  const workbench = vscode.workspace.getConfiguration('workbench');
  const window = vscode.workspace.getConfiguration('window');
  const chosen = workbench.get<string>('colorTheme');
  const preferred = workbench.get<string>(PREFERRED[kind]);
  const highContrast = kind === ColorThemeKind.HighContrast || kind === ColorThemeKind.HighContrastLight;
  const detects = highContrast
    ? window.get('autoDetectHighContrast') !== false
    : window.get('autoDetectColorScheme') === true;
  // In high contrast the chosen theme may be one itself, with nothing detected.
  if (!detects) return [chosen];
  return highContrast ? [chosen, preferred] : [preferred, chosen];
}

interface Candidate extends ContributedTheme {
  readonly id: unknown;
  readonly label: unknown;
  readonly kind: vscode.ColorThemeKind;
}

function find(themes: readonly Candidate[], name = ''): Candidate | undefined {
  // VS Code's own themes were once called Default Dark Modern and the like, and settings still say so.
  return [name, name.replace(/^Default /, '')]
    .flatMap((each) => [
      ...themes.filter(({ id }) => id === each),
      ...themes.filter(({ label }) => label === each),
    ])
    .at(0);
}

function contributedThemes(): Candidate[] {
  return vscode.extensions.all.flatMap(({ packageJSON, extensionUri }) => {
    const themes: unknown = packageJSON?.contributes?.themes;
    if (!Array.isArray(themes)) return [];
    return themes.flatMap((theme): Candidate[] => {
      const { id, label, uiTheme, path } = (theme ?? {}) as Record<string, unknown>;
      if (typeof path !== 'string') return [];
      const file = vscode.Uri.joinPath(extensionUri, path);
      const kind = KINDS[String(uiTheme)] ?? ColorThemeKind.Dark;
      return [{ id, label, kind, file, name: String(id ?? label) }];
    });
  });
}
