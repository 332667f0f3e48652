import type { TokenRule } from '../../shared/view/codeTheme';
import { parseTokenRules } from './themeFile';
import { matchesWildcards } from './wildcards';

/** The token kinds of the setting, with the scopes that VS Code maps them to. */
const SCOPES_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  comments: ['comment', 'punctuation.definition.comment'],
  strings: ['string', 'meta.embedded.assembly'],
  keywords: ['keyword - keyword.operator', 'keyword.control', 'storage', 'storage.type'],
  numbers: ['constant.numeric'],
  types: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class'],
  functions: ['entity.name.function', 'support.function'],
  variables: ['variable', 'entity.name.variable'],
};

/**
 * Returns the rules of `editor.tokenColorCustomizations` for a theme: those for all themes, then those under
 * its name in brackets.
 */
export function parseCustomRules(setting: unknown, theme: string): TokenRule[] {
  if (typeof setting !== 'object' || setting === null) return [];
  const blocks = Object.entries(setting).filter(([key]) => isFor(key, theme));
  return [setting, ...blocks.map(([, block]) => block)].flatMap(parseRules);
}

/** Returns whether a key such as `[Abyss]`, `[Abyss][Red]` or `[*Dark*]` matches the theme. */
function isFor(key: string, theme: string): boolean {
  if (!key.startsWith('[') || !key.endsWith(']')) return false;
  const names = key.slice(1, -1).split('][');
  return names.every((name) => !/[[\]]/.test(name)) && names.some((name) => matchesWildcards(name, theme));
}

function parseRules(block: unknown): TokenRule[] {
  if (typeof block !== 'object' || block === null) return [];
  const values = block as Record<string, unknown>;
  const kinds = Object.entries(SCOPES_BY_KIND).flatMap(([kind, scope]) => {
    const value = values[kind];
    const settings = typeof value === 'string' ? { foreground: value } : value;
    return parseTokenRules([{ scope, settings }]);
  });
  return [...kinds, ...parseTokenRules(values.textMateRules)];
}
