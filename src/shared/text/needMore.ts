/** Returned if more text is needed to decide: the text so far is ambiguous. */
export const NEED_MORE = Symbol('needMore');
export type NeedMore = typeof NEED_MORE;
