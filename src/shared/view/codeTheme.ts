/** One rule of a color theme: the style of tokens with matching scopes. */
export interface TokenRule {
  /** TextMate scope selectors. */
  readonly scope: readonly string[];
  /** `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`. */
  readonly foreground?: string;
  /** Any of `italic`, `bold`, `underline`, `strikethrough`, separated by spaces; empty for none. */
  readonly fontStyle?: string;
}

/** The code colors of the user's theme: later rules override earlier ones for the same scope. */
export type CodeTheme = readonly TokenRule[];
