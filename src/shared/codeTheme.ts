/** One rule of a colour theme: how tokens look whose scopes match. */
export interface TokenRule {
  /** TextMate scope selectors. */
  readonly scope: readonly string[];
  /** `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`. */
  readonly foreground?: string;
  /** Any of `italic`, `bold`, `underline`, `strikethrough`, by spaces; empty for none of them. */
  readonly fontStyle?: string;
}

/** The colours of code in the person's theme: later rules win over earlier ones of the same scope. */
export type CodeTheme = readonly TokenRule[];
