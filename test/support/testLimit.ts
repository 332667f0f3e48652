/** The time limit of a test, in ms: longer than that of a wait (`hang.ts`), which says what it waited for. */
export const TEST_LIMIT_MS = 600_000;
