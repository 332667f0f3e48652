import { parse as parsePlist } from 'fast-plist';
import { type ParseError, parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { TokenRule } from '../../shared/view/codeTheme';

/** Themes can include each other; a longer chain is treated as an error. */
const MAX_INCLUDE_DEPTH = 10;

/**
 * Reads the token colors of a theme file, JSON or TextMate XML (`.tmTheme`), with those of included files
 * first, as VS Code does. Throws if a file can't be read or isn't a theme.
 */
export async function readThemeFile(file: vscode.Uri, depth = 0): Promise<TokenRule[]> {
  if (depth === MAX_INCLUDE_DEPTH) throw new Error(`${file.path} includes too many files.`);
  const theme = parseTheme(file, new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  const relative = (name: string) => vscode.Uri.joinPath(file, '..', name);
  const included = typeof theme.include === 'string' ? relative(theme.include) : undefined;
  const rules = included ? await readThemeFile(included, depth + 1) : [];
  // A string instead of a list is the path of a file with the list.
  const ownRules =
    typeof theme.tokenColors === 'string'
      ? await readThemeFile(relative(theme.tokenColors), depth + 1)
      : parseTokenRules(theme.tokenColors);
  return [...rules, ...ownRules];
}

/** Parses the valid rules of a list from a theme or a setting. */
export function parseTokenRules(list: unknown): TokenRule[] {
  return Array.isArray(list) ? list.flatMap((entry) => parseTokenRule(entry) ?? []) : [];
}

function parseTheme(file: vscode.Uri, text: string): Record<string, unknown> {
  if (!file.path.toLowerCase().endsWith('.json')) return parseTextMateTheme(file, text);
  const errors: ParseError[] = [];
  const theme: unknown = parse(text, errors, { allowTrailingComma: true });
  // Like VS Code, uses what can be parsed of a file with errors.
  if (typeof theme !== 'object' || theme === null) throw new Error(`${file.path} is not a JSON theme.`);
  return theme as Record<string, unknown>;
}

function parseTextMateTheme(file: vscode.Uri, text: string): Record<string, unknown> {
  const theme: unknown = parsePlist(text);
  const settings = (theme as { settings?: unknown } | null | undefined)?.settings;
  if (!Array.isArray(settings)) throw new Error(`${file.path} is not a TextMate theme.`);
  return { tokenColors: settings };
}

/**
 * Skips a rule without a scope: it would color plain code, for which VS Code uses the editor's foreground.
 */
function parseTokenRule(entry: unknown): TokenRule | undefined {
  const { scope, settings } = (entry ?? {}) as { scope?: unknown; settings?: unknown };
  const scopes = (typeof scope === 'string' ? scope.split(',') : Array.isArray(scope) ? scope : [])
    .filter((name) => typeof name === 'string')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (scopes.length === 0 || typeof settings !== 'object' || settings === null) return undefined;
  const { foreground, fontStyle } = settings as { foreground?: unknown; fontStyle?: unknown };
  return {
    scope: scopes,
    ...(typeof foreground === 'string' && { foreground }),
    ...(typeof fontStyle === 'string' && { fontStyle }),
  };
}
