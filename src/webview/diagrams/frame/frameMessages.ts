/** A request from the tab's page to the frame that draws. */
export interface DrawRequest {
  readonly source: string;
  readonly isDark: boolean;
  /** Mermaid's variables by name; colors that it can parse. */
  readonly themeVariables: Readonly<Record<string, string>>;
}

/** The frame's answer: markup that isn't safe yet, or Mermaid's error message. */
export type DrawResponse = { readonly svg: string } | { readonly error: string };
