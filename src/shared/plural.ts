/** The message for a count, by the plural rules of the language that it is said in: `one` for a single thing in it, else `other`. */
export function getPluralMessage(language: string, count: number, one: string, other: string): string {
  return new Intl.PluralRules(language).select(count) === 'one' ? one : other;
}
