/** The start and the end of each match in a turn's text, in order. */
export type Matches = readonly number[];

/** The ID of a request is higher than that of the one before. */
export type ToFindWorker =
  /** Sets the texts of turns, and searches them if there is a search; turns without a text are gone. */
  | {
      readonly type: 'texts';
      readonly requestId: number;
      readonly texts: readonly (readonly [turnId: string, text: string | undefined])[];
    }
  /** Sets the order of the turns. */
  | { readonly type: 'order'; readonly turnIds: readonly string[] }
  /** Searches all turns, instead of what is still to be searched. */
  | {
      readonly type: 'search';
      readonly requestId: number;
      readonly source: string;
      readonly flags: string;
      /** The turn to search first; those after it follow, then those before it, the nearest first. */
      readonly firstTurnId: string;
      readonly maxMatches: number;
    }
  /** Ends the search: changed texts aren't searched any more. */
  | { readonly type: 'stop' };

export interface FromFindWorker {
  /** ID of the last request that the worker got; 0 if it has just started. */
  readonly requestId: number;
  /** The turns searched since the last message that have matches, or had some before. */
  readonly found: readonly (readonly [turnId: string, matches: Matches])[];
  /** Whether nothing is left to be searched. */
  readonly done: boolean;
}
