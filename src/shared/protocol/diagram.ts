/** The messages between the host and the tab that shows a diagram, which is apart from the panel. */

/** Maximum length of a diagram's source, in code units. */
export const MAX_DIAGRAM_LENGTH = 50_000;

export interface ToDiagram {
  readonly type: 'diagram';
  readonly source: string;
}

export type DiagramMessage =
  /** The tab has loaded and waits for the source. */
  | { readonly type: 'ready' }
  /** The diagram is drawn, or the tab shows why it isn't. */
  | { readonly type: 'done' }
  | { readonly type: 'copySvg'; readonly text: string };
