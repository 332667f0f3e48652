/** Returns the message of what was thrown, as text for the user. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
