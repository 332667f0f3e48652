import * as vscode from 'vscode';
import type { CodeTheme } from '../../shared/view/codeTheme';

type Colors = Readonly<
  Record<'comment' | 'string' | 'keyword' | 'control' | 'number' | 'type' | 'function' | 'variable', string>
>;

const DARK: Colors = {
  comment: '#6A9955',
  string: '#CE9178',
  keyword: '#569CD6',
  control: '#C586C0',
  number: '#B5CEA8',
  type: '#4EC9B0',
  function: '#DCDCAA',
  variable: '#9CDCFE',
};

const LIGHT: Colors = {
  comment: '#008000',
  string: '#A31515',
  keyword: '#0000FF',
  control: '#AF00DB',
  number: '#098658',
  type: '#267F99',
  function: '#795E26',
  variable: '#001080',
};

const HIGH_CONTRAST: Colors = { ...DARK, comment: '#7CA668', keyword: '#79C0FF' };
const HIGH_CONTRAST_LIGHT: Colors = {
  ...LIGHT,
  comment: '#515151',
  keyword: '#0F4A85',
  control: '#7C3085',
  number: '#096D48',
};

const COLORS: Readonly<Record<vscode.ColorThemeKind, Colors>> = {
  [vscode.ColorThemeKind.Dark]: DARK,
  [vscode.ColorThemeKind.Light]: LIGHT,
  [vscode.ColorThemeKind.HighContrast]: HIGH_CONTRAST,
  [vscode.ColorThemeKind.HighContrastLight]: HIGH_CONTRAST_LIGHT,
};

/**
 * Returns a few colors that are readable on the background of a theme kind, for themes that can't be read:
 * for example those of a remote host's extensions while Parley runs in a web worker.
 */
export function createPlainTheme(kind: vscode.ColorThemeKind): CodeTheme {
  const colors = COLORS[kind];
  return [
    { scope: ['comment', 'punctuation.definition.comment'], foreground: colors.comment },
    { scope: ['string', 'markup.inline.raw', 'markup.inserted'], foreground: colors.string },
    { scope: ['keyword', 'storage', 'constant.language', 'entity.name.tag'], foreground: colors.keyword },
    { scope: ['keyword.control', 'keyword.operator.new'], foreground: colors.control },
    { scope: ['keyword.operator'], foreground: colors.variable },
    { scope: ['constant.numeric', 'markup.changed'], foreground: colors.number },
    { scope: ['entity.name.type', 'support.type', 'support.class'], foreground: colors.type },
    { scope: ['entity.name.function', 'support.function'], foreground: colors.function },
    { scope: ['variable', 'entity.other.attribute-name'], foreground: colors.variable },
    { scope: ['markup.heading', 'markup.bold'], foreground: colors.keyword, fontStyle: 'bold' },
    { scope: ['markup.italic'], fontStyle: 'italic' },
  ];
}
