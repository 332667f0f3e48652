import { formatAge as ageIn } from '../shared/age';
import { formatBytes as formatBytesIn } from '../shared/formatBytes';
import { language } from './l10n';

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

// Control characters, marks that turn text around, tags and invisible separators; joiners belong to emoji.
const HIDDEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text of others with its control, bidi and tag characters spelt out, so that it can't pose as something else. */
export function inert(text: string): string {
  return text.replace(HIDDEN, spelled);
}

/** Embeddings, overrides and isolates: what is written right to left needs none, and code that has one reads as other code. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Text of a conversation with the characters spelt out that would turn the order of others around. Goes chunk by chunk as well. */
export function unturned(text: string): string {
  return text.replace(TURNING, spelled);
}

function spelled(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
