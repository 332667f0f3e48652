/** Something that shows a text while it comes. */
export type Contender = (container: HTMLElement) => {
  /** Returns a promise where the text is shown a little later. */
  append(text: string): void | Promise<void>;
  end(): void;
};

/** One measurement. */
export interface Run {
  readonly contender: string;
  readonly text: string;
  /** Characters in an update. */
  readonly chunk: number;
  /** One update a frame, painted; else every update is only laid out, with a frame now and then. */
  readonly everyFrame: boolean;
}

export interface RunResult {
  /** Script and layout of all updates, and of the longest one (ms). */
  updates: number;
  longestUpdate: number;
  lateFrames: number;
  /** Elements in the page at the end. */
  nodes: number;
}
