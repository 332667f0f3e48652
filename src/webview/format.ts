import { formatAge as ageIn } from '../shared/age';

// VS Code's language, which the host writes into the page; there is no page in unit tests.
const locale = globalThis.document?.documentElement.lang || 'en';
const numbers = new Intl.NumberFormat(locale);
const sizes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });

export function formatCount(count: number): string {
  return numbers.format(count);
}

/** Bytes as VS Code writes them: 1024 to the next unit. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 'B';
  for (const next of ['KB', 'MB', 'GB']) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return `${sizes.format(value)} ${unit}`;
}

/** How long ago a time was, in the largest unit that fits. */
export function formatAge(at: number, now: number): string {
  return ageIn(at, now, relative);
}

const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const dayAndClock = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const monthAndYear = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
const precise = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' });

/** A time of day, with its date unless that is today's. */
export function formatTime(at: number, now: number): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString();
  return (today ? clock : dayAndClock).format(at);
}

/** The month of a time, with its year. */
export function formatMonth(at: number): string {
  return monthAndYear.format(at);
}

/** A time in full. */
export function formatPreciseTime(at: number): string {
  return precise.format(at);
}

// Control characters, marks that turn text around, tags and invisible separators; joiners belong to emoji.
const HIDDEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text of others with its control, bidi and tag characters spelt out, so that it can't pose as something else. */
export function inert(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
