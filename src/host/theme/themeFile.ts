import { parse as parsePlist } from 'fast-plist';
import { type ParseError, parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { TokenRule } from '../../shared/codeTheme';

/** A theme may include one that includes another; more than this many is a mistake. */
const LONGEST_CHAIN = 10;

/**
 * The token colours of a theme's file, JSON or TextMate's XML (`.tmTheme`), those of the files that it includes first, as
 * VS Code reads them. Throws where a file can't be read or isn't a theme.
 */
export async function readThemeFile(file: vscode.Uri, depth = 0): Promise<TokenRule[]> {
  if (depth === LONGEST_CHAIN) throw new Error(`${file.path} includes too many files.`);
  const theme = parseTheme(file, new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  const relative = (name: string) => vscode.Uri.joinPath(file, '..', name);
  const included = typeof theme.include === 'string' ? relative(theme.include) : undefined;
  const rules = included ? await readThemeFile(included, depth + 1) : [];
  // A name instead of a list is that of a file with the list.
  const own =
    typeof theme.tokenColors === 'string'
      ? await readThemeFile(relative(theme.tokenColors), depth + 1)
      : tokenRules(theme.tokenColors);
  return [...rules, ...own];
}

/** The usable rules of a list that a theme or a setting holds. */
export function tokenRules(list: unknown): TokenRule[] {
  return Array.isArray(list) ? list.flatMap((entry) => tokenRule(entry) ?? []) : [];
}

function parseTheme(file: vscode.Uri, text: string): Record<string, unknown> {
  if (!file.path.toLowerCase().endsWith('.json')) return parseTextMateTheme(file, text);
  const errors: ParseError[] = [];
  const theme: unknown = parse(text, errors, { allowTrailingComma: true });
  // Like VS Code, whatever can be read of a sloppy file counts.
  if (typeof theme !== 'object' || theme === null) throw new Error(`${file.path} is not a JSON theme.`);
  return theme as Record<string, unknown>;
}

function parseTextMateTheme(file: vscode.Uri, text: string): Record<string, unknown> {
  const theme: unknown = parsePlist(text);
  const settings = (theme as { settings?: unknown } | null | undefined)?.settings;
  if (!Array.isArray(settings)) throw new Error(`${file.path} is not a TextMate theme.`);
  return { tokenColors: settings };
}

/** A rule without a scope would colour plain code; VS Code takes that colour from the editor's. */
function tokenRule(entry: unknown): TokenRule | undefined {
  const { scope, settings } = (entry ?? {}) as { scope?: unknown; settings?: unknown };
  const scopes = (typeof scope === 'string' ? scope.split(',') : Array.isArray(scope) ? scope : [])
    .filter((each) => typeof each === 'string')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (scopes.length === 0 || typeof settings !== 'object' || settings === null) return undefined;
  const { foreground, fontStyle } = settings as { foreground?: unknown; fontStyle?: unknown };
  return {
    scope: scopes,
    ...(typeof foreground === 'string' && { foreground }),
    ...(typeof fontStyle === 'string' && { fontStyle }),
  };
}
