import * as vscode from 'vscode';
import type { CodeTheme } from '../../shared/codeTheme';

type Colours = Readonly<
  Record<'comment' | 'string' | 'keyword' | 'control' | 'number' | 'type' | 'function' | 'variable', string>
>;

const DARK: Colours = {
  comment: '#6A9955',
  string: '#CE9178',
  keyword: '#569CD6',
  control: '#C586C0',
  number: '#B5CEA8',
  type: '#4EC9B0',
  function: '#DCDCAA',
  variable: '#9CDCFE',
};

const LIGHT: Colours = {
  comment: '#008000',
  string: '#A31515',
  keyword: '#0000FF',
  control: '#AF00DB',
  number: '#098658',
  type: '#267F99',
  function: '#795E26',
  variable: '#001080',
};

const HIGH_CONTRAST: Colours = { ...DARK, comment: '#7CA668', keyword: '#79C0FF' };
const HIGH_CONTRAST_LIGHT: Colours = {
  ...LIGHT,
  comment: '#515151',
  keyword: '#0F4A85',
  control: '#7C3085',
  number: '#096D48',
};

const COLOURS: Readonly<Record<vscode.ColorThemeKind, Colours>> = {
  [vscode.ColorThemeKind.Dark]: DARK,
  [vscode.ColorThemeKind.Light]: LIGHT,
  [vscode.ColorThemeKind.HighContrast]: HIGH_CONTRAST,
  [vscode.ColorThemeKind.HighContrastLight]: HIGH_CONTRAST_LIGHT,
};

/**
 * A few colours that can be read on a background of a kind, for themes whose own can't be had, such as, while a web
 * worker runs Parley beside a remote host, those of that host's extensions.
 */
export function plainTheme(kind: vscode.ColorThemeKind): CodeTheme {
  const colours = COLOURS[kind];
  return [
    { scope: ['comment', 'punctuation.definition.comment'], foreground: colours.comment },
    { scope: ['string', 'markup.inline.raw', 'markup.inserted'], foreground: colours.string },
    { scope: ['keyword', 'storage', 'constant.language', 'entity.name.tag'], foreground: colours.keyword },
    { scope: ['keyword.control', 'keyword.operator.new'], foreground: colours.control },
    { scope: ['keyword.operator'], foreground: colours.variable },
    { scope: ['constant.numeric', 'markup.changed'], foreground: colours.number },
    { scope: ['entity.name.type', 'support.type', 'support.class'], foreground: colours.type },
    { scope: ['entity.name.function', 'support.function'], foreground: colours.function },
    { scope: ['variable', 'entity.other.attribute-name'], foreground: colours.variable },
    { scope: ['markup.heading', 'markup.bold'], foreground: colours.keyword, fontStyle: 'bold' },
    { scope: ['markup.italic'], fontStyle: 'italic' },
  ];
}
