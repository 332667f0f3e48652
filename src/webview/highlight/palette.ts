import { Theme } from '@shikijs/vscode-textmate';
import type { CodeTheme } from '../../shared/view/codeTheme';
import type { Scope } from './worker/scopes';

/** CSS declarations for tokens; empty for the color of plain code. */
type Style = string;

/** A class of tokens with the same style. */
export interface TokenClass {
  readonly name: string;
  readonly style: Style;
  /** Underlined or struck through, which also shows in blanks. */
  readonly decorated: boolean;
}

// vscode-textmate's values; its const enum can't be imported.
const ITALIC = 1;
const BOLD = 2;
const UNDERLINE = 4;
const STRIKETHROUGH = 8;

type ScopePath = NonNullable<Parameters<Theme['match']>[0]>;

/** Assigns each scope to a token class, and each class to a rule in a style sheet of the page. */
export class Palette {
  readonly #sheet = new CSSStyleSheet();
  readonly #classes: TokenClass[] = [];
  /** The class number of each scope; undefined for the color of plain code, which needs no class. */
  readonly #members = new Map<Scope, number | undefined>();
  #theme = Theme.createFromRawTheme({ settings: [] });
  #colors: readonly string[] = [];

  constructor() {
    document.adoptedStyleSheets.push(this.#sheet);
  }

  /** Returns a scope's class; undefined if it looks like plain code. */
  getClass(scope: Scope): TokenClass | undefined {
    if (!this.#members.has(scope)) this.#members.set(scope, this.#getClassNumber(this.#getStyle(scope)));
    const number = this.#members.get(scope);
    return number === undefined ? undefined : this.#classes[number];
  }

  /**
   * Changes the theme: every class gets the style of its first scope, which recolors the page. Returns whether scopes moved
   * to another class, because they no longer share a style: their tokens need the new class.
   */
  setTheme(theme: CodeTheme): boolean {
    const settings = theme.map(({ scope, ...style }) => ({ scope: [...scope], settings: style }));
    this.#theme = Theme.createFromRawTheme({ settings });
    this.#colors = this.#theme.getColorMap();
    const renewed = new Set<number>();
    for (const [scope, number] of this.#members) {
      if (number === undefined || renewed.has(number)) continue;
      this.#classes[number] = createTokenClass(number, this.#getStyle(scope));
      renewed.add(number);
    }
    this.#sheet.replaceSync(this.#classes.map(formatRule).join('\n'));
    let moved = false;
    for (const [scope, number] of this.#members) {
      const style = this.#getStyle(scope);
      if (style === (number === undefined ? '' : this.#classes[number]?.style)) continue;
      this.#members.set(scope, this.#getClassNumber(style));
      moved = true;
    }
    return moved;
  }

  /** Returns the number of the class with a style; adds the class if there is none. */
  #getClassNumber(style: Style): number | undefined {
    if (style === '') return undefined;
    const existing = this.#classes.findIndex((tokenClass) => tokenClass.style === style);
    if (existing >= 0) return existing;
    const number = this.#classes.length;
    const added = createTokenClass(number, style);
    this.#classes.push(added);
    this.#sheet.insertRule(formatRule(added), number);
    return number;
  }

  /** Returns a token's style as in VS Code: each property comes from the innermost scope that sets it. */
  #getStyle(scope: Scope): Style {
    let [color, fontStyle] = [0, -1];
    for (
      let ancestor: Scope | null = scope;
      ancestor && (color === 0 || fontStyle < 0);
      ancestor = ancestor.parent
    ) {
      const match = this.#theme.match(ancestor as Scope & ScopePath);
      if (!match) continue;
      color ||= match.foregroundId;
      if (fontStyle < 0) fontStyle = match.fontStyle;
    }
    const has = (flag: number) => fontStyle > 0 && (fontStyle & flag) > 0;
    const lines = [has(UNDERLINE) && 'underline', has(STRIKETHROUGH) && 'line-through'].filter(Boolean);
    const declarations = [
      color > 0 && `color: ${this.#colors[color]}`,
      has(ITALIC) && 'font-style: italic',
      has(BOLD) && 'font-weight: bold',
      lines.length > 0 && `text-decoration: ${lines.join(' ')}`,
    ];
    return declarations.filter(Boolean).join('; ');
  }
}

function createTokenClass(number: number, style: Style): TokenClass {
  return { name: `token-${number}`, style, decorated: style.includes('text-decoration') };
}

function formatRule({ name, style }: TokenClass): string {
  return `.${name} { ${style} }`;
}
