import { escapeCharacter } from '../../shared/text/escapeInvisible';
import { formatBytes as formatBytesIn } from '../../shared/text/formatBytes';
import { formatAge as ageIn } from '../../shared/text/relativeTime';
import { language } from './l10n';

export { escapeInvisible } from '../../shared/text/escapeInvisible';

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });

/** Formats a size in the page's language. */
export function formatBytes(bytes: number): string {
  return formatBytesIn(bytes, language);
}

/** Formats how long ago a time was, in the largest unit that fits. */
export function formatAge(at: number, now: number): string {
  return ageIn(at, now, relative);
}

const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
const dayAndClock = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const monthAndYear = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
const precise = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' });

/** Formats a time of day, with the date unless it is today. */
export function formatTime(at: number, now: number): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString();
  return (today ? clock : dayAndClock).format(at);
}

/** Formats the month and year of a time. */
export function formatMonth(at: number): string {
  return monthAndYear.format(at);
}

/** Formats a time in full. */
export function formatPreciseTime(at: number): string {
  return precise.format(at);
}

/**
 * Bidirectional controls, which right-to-left text doesn't need and which make code read as different code. And other
 * control characters and line separators, which browsers don't show and terminals act on.
 */
const BIDI_AND_CONTROL = /[\u202a-\u202e\u2066-\u2069\u2028\u2029]|[^\P{Cc}\t\n\r]/gu;

/** Escapes characters that would reorder others or are hidden. Works chunk by chunk. */
export function escapeBidi(text: string): string {
  return text.replace(BIDI_AND_CONTROL, escapeCharacter);
}
