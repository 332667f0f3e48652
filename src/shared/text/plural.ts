/** Picks the message for a count by the language's plural rules: `one` for the category of that name, otherwise `other`. */
export function getPluralMessage(language: string, count: number, one: string, other: string): string {
  return new Intl.PluralRules(language).select(count) === 'one' ? one : other;
}
