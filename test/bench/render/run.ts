/** A renderer that shows a text while it streams. */
export type Contender = (container: HTMLElement) => {
  /** Returns a promise if the text is shown later. */
  appendMarkdown(text: string): void | Promise<void>;
  end(): void;
};

/** The options of a measurement. */
export interface Run {
  readonly contender: string;
  readonly text: string;
  /** Characters per update. */
  readonly chunk: number;
  /**
   * Whether each update gets a painted frame; otherwise updates are only laid out, with a frame now and then.
   */
  readonly everyFrame: boolean;
}

export interface RunResult {
  /** Script and layout of all updates and of the longest one, in ms. */
  updates: number;
  longestUpdate: number;
  lateFrames: number;
  /** The elements in the page at the end. */
  nodes: number;
}
