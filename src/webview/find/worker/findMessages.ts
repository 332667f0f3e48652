/** The start and the end of each match in a turn's text, in order. */
export type Matches = readonly number[];

export type ToFindWorker =
  /** Sets the texts of turns; those without a text are gone. */
  | { readonly type: 'texts'; readonly texts: readonly (readonly [turnId: string, text?: string])[] }
  /** Searches turns, instead of what is still to be searched. */
  | {
      readonly type: 'search';
      readonly searchId: number;
      readonly source: string;
      readonly flags: string;
      readonly turnIds: readonly string[];
      readonly maxMatches: number;
    };

export interface FromFindWorker {
  readonly searchId: number;
  /** The turns searched since the last message, including those without a match. */
  readonly found: readonly (readonly [turnId: string, matches: Matches])[];
  readonly done: boolean;
}
