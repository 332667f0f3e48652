/** The answer that more text is needed for: what has come so far could still become one thing or another. */
export const undecided = Symbol('undecided');
export type Undecided = typeof undecided;
