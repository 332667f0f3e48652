import { Theme } from '@shikijs/vscode-textmate';
import type { CodeTheme } from '../../shared/codeTheme';
import type { Scope } from './scopes';

/** CSS declarations for tokens; empty for the color of plain code. */
type Look = string;

/** A class of tokens with the same style. */
export interface TokenClass {
  readonly name: string;
  readonly look: Look;
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
  #colours: readonly string[] = [];

  constructor() {
    document.adoptedStyleSheets.push(this.#sheet);
  }

  /** Returns a scope's class; undefined if it looks like plain code. */
  getClass(scope: Scope): TokenClass | undefined {
    if (!this.#members.has(scope)) this.#members.set(scope, this.#getNumber(this.#look(scope)));
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
    this.#colours = this.#theme.getColorMap();
    const renewed = new Set<number>();
    for (const [scope, number] of this.#members) {
      if (number === undefined || renewed.has(number)) continue;
      this.#classes[number] = tokenClass(number, this.#look(scope));
      renewed.add(number);
    }
    this.#sheet.replaceSync(this.#classes.map(rule).join('\n'));
    let moved = false;
    for (const [scope, number] of this.#members) {
      const look = this.#look(scope);
      if (look === (number === undefined ? '' : this.#classes[number]?.look)) continue;
      this.#members.set(scope, this.#getNumber(look));
      moved = true;
    }
    return moved;
  }

  /** Returns the number of the class with a style; adds the class if there is none. */
  #getNumber(look: Look): number | undefined {
    if (look === '') return undefined;
    const known = this.#classes.findIndex((each) => each.look === look);
    if (known >= 0) return known;
    const number = this.#classes.length;
    const made = tokenClass(number, look);
    this.#classes.push(made);
    this.#sheet.insertRule(rule(made), number);
    return number;
  }

  /** Returns a token's style as in VS Code: each property comes from the innermost scope that sets it. */
  #look(scope: Scope): Look {
    let [colour, style] = [0, -1];
    for (let each: Scope | null = scope; each && (colour === 0 || style < 0); each = each.parent) {
      const match = this.#theme.match(each as Scope & ScopePath);
      if (!match) continue;
      colour ||= match.foregroundId;
      if (style < 0) style = match.fontStyle;
    }
    const has = (flag: number) => style > 0 && (style & flag) > 0;
    const lines = [has(UNDERLINE) && 'underline', has(STRIKETHROUGH) && 'line-through'].filter(Boolean);
    const declarations = [
      colour > 0 && `color: ${this.#colours[colour]}`,
      has(ITALIC) && 'font-style: italic',
      has(BOLD) && 'font-weight: bold',
      lines.length > 0 && `text-decoration: ${lines.join(' ')}`,
    ];
    return declarations.filter(Boolean).join('; ');
  }
}

function tokenClass(number: number, look: Look): TokenClass {
  return { name: `token-${number}`, look, decorated: look.includes('text-decoration') };
}

function rule({ name, look }: TokenClass): string {
  return `.${name} { ${look} }`;
}
