import { escapeCharacter } from '../../shared/escapeInvisible';
import { formatBytes as formatBytesIn } from '../../shared/formatBytes';
import { formatAge as ageIn } from '../../shared/relativeTime';
import { language } from './l10n';

export { escapeInvisible } from '../../shared/escapeInvisible';

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });

/** A size in words, in the page's language. */
export function formatBytes(bytes: number): string {
  return formatBytesIn(bytes, language);
}

/** How long ago a time was, in the largest unit that fits. */
export function formatAge(at: number, now: number): string {
  return ageIn(at, now, relative);
}

const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
const dayAndClock = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const monthAndYear = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
const precise = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' });

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

/**
 * Embeddings, overrides and isolates: what is written right to left needs none, and code that has one reads as other code. And
 * control characters and line separators: a browser shows none of them, and a terminal acts on them.
 */
const BIDI_AND_CONTROL = /[\u202a-\u202e\u2066-\u2069\u2028\u2029]|[^\P{Cc}\t\n\r]/gu;

/** Text of a conversation with the characters spelt out that would turn the order of others around, or hide. Goes chunk by chunk as well. */
export function escapeBidi(text: string): string {
  return text.replace(BIDI_AND_CONTROL, escapeCharacter);
}
