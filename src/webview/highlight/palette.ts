import { Theme } from '@shikijs/vscode-textmate';
import type { CodeTheme } from '../../shared/codeTheme';
import type { Scope } from './scopes';

/** How tokens look: CSS declarations; empty for the colour of plain code. */
type Look = string;

/** A class of tokens that look the same. */
export interface TokenClass {
  readonly name: string;
  readonly look: Look;
  /** A line under or through it, which shows in blanks as well. */
  readonly decorated: boolean;
}

// vscode-textmate's own numbers; its const enum can't be imported.
const ITALIC = 1;
const BOLD = 2;
const UNDERLINE = 4;
const STRIKETHROUGH = 8;

type ScopePath = NonNullable<Parameters<Theme['match']>[0]>;

/** Gives each scope the class of tokens that it belongs to, and each class its rule in a style sheet of the page. */
export class Palette {
  readonly #sheet = new CSSStyleSheet();
  readonly #classes: TokenClass[] = [];
  /** The number of a scope's class; undefined for the colour of plain code, which needs no class. */
  readonly #members = new Map<Scope, number | undefined>();
  #theme = Theme.createFromRawTheme({ settings: [] });
  #colours: readonly string[] = [];

  constructor() {
    document.adoptedStyleSheets.push(this.#sheet);
  }

  /** A scope's class; undefined where it looks like plain code. */
  getClass(scope: Scope): TokenClass | undefined {
    if (!this.#members.has(scope)) this.#members.set(scope, this.#getNumber(this.#look(scope)));
    const number = this.#members.get(scope);
    return number === undefined ? undefined : this.#classes[number];
  }

  /**
   * Takes another theme: every class gets the look of its first scope, which recolours the page. True where scopes went
   * to another class, because what looked the same doesn't any longer: their tokens need their new class.
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

  /** The number of the class with a look, made where there is none. */
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

  /** What VS Code gives a token: of each property, what the innermost scope that sets it says. */
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
