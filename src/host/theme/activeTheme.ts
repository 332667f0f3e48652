import * as vscode from 'vscode';

/** A color theme that an extension contributes. */
export interface ContributedTheme {
  /** The name used in settings. */
  readonly name: string;
  readonly file: vscode.Uri;
}

const { ColorThemeKind } = vscode;

/** The theme kinds by `uiTheme`; VS Code treats others as dark. */
const THEME_KINDS: Readonly<Record<string, vscode.ColorThemeKind>> = {
  vs: ColorThemeKind.Light,
  'vs-dark': ColorThemeKind.Dark,
  'hc-black': ColorThemeKind.HighContrast,
  'hc-light': ColorThemeKind.HighContrastLight,
};

const PREFERRED_SETTINGS: Readonly<Record<vscode.ColorThemeKind, string>> = {
  [ColorThemeKind.Light]: 'preferredLightColorTheme',
  [ColorThemeKind.Dark]: 'preferredDarkColorTheme',
  [ColorThemeKind.HighContrast]: 'preferredHighContrastColorTheme',
  [ColorThemeKind.HighContrastLight]: 'preferredHighContrastLightColorTheme',
};

/**
 * Returns the active theme: the one from the settings that matches the window's kind. Extensions can't read
 * the system's light, dark or high contrast mode, but the window's kind follows it.
 */
export function findActiveTheme(): ContributedTheme | undefined {
  const { kind } = vscode.window.activeColorTheme;
  const themes = getContributedThemes();
  const candidates = getThemeNames(kind).map((name) => findTheme(themes, name));
  const installed = candidates.filter((theme) => theme !== undefined);
  return installed.find((theme) => theme.kind === kind) ?? installed[0];
}

function getThemeNames(kind: vscode.ColorThemeKind): (string | undefined)[] {
  const workbench = vscode.workspace.getConfiguration('workbench');
  const window = vscode.workspace.getConfiguration('window');
  const chosen = workbench.get<string>('colorTheme');
  const preferred = workbench.get<string>(PREFERRED_SETTINGS[kind]);
  const highContrast = kind === ColorThemeKind.HighContrast || kind === ColorThemeKind.HighContrastLight;
  const detects = highContrast
    ? window.get('autoDetectHighContrast') !== false
    : window.get('autoDetectColorScheme') === true;
  // In high contrast, the chosen theme may itself be a high contrast theme, without detection.
  if (!detects) return [chosen];
  return highContrast ? [chosen, preferred] : [preferred, chosen];
}

interface Candidate extends ContributedTheme {
  readonly id: unknown;
  readonly label: unknown;
  readonly kind: vscode.ColorThemeKind;
}

function findTheme(themes: readonly Candidate[], name = ''): Candidate | undefined {
  // VS Code's own themes used to be called `Default Dark Modern` and so on, and settings may still have these
  // names.
  return [name, name.replace(/^Default /, '')]
    .flatMap((candidate) => [
      ...themes.filter(({ id }) => id === candidate),
      ...themes.filter(({ label }) => label === candidate),
    ])
    .at(0);
}

function getContributedThemes(): Candidate[] {
  return vscode.extensions.all.flatMap(({ packageJSON, extensionUri }) => {
    const themes: unknown = packageJSON?.contributes?.themes;
    if (!Array.isArray(themes)) return [];
    return themes.flatMap((theme): Candidate[] => {
      const { id, label, uiTheme, path } = (theme ?? {}) as Record<string, unknown>;
      if (typeof path !== 'string') return [];
      const file = vscode.Uri.joinPath(extensionUri, path);
      const kind = THEME_KINDS[String(uiTheme)] ?? ColorThemeKind.Dark;
      return [{ id, label, kind, file, name: String(id ?? label) }];
    });
  });
}
