/** The answer that more text is needed for: what has come so far could still become one thing or another. */
export const NEED_MORE = Symbol('undecided');
export type NeedMore = typeof NEED_MORE;
