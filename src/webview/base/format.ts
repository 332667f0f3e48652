import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { formatAge as ageIn, formatBytes as formatBytesIn } from '../../shared/text/localeText';
import type { Bot } from '../../shared/view/viewModel';
import { language, t } from './l10n';

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

/** Formats the text of an empty composer. */
export function formatPlaceholder(bot: Bot | undefined): string {
  return t('Message {0}', bot ? escapeInvisible(bot.name) : t('Bot'));
}

/** Formats the title of a button that a key stands for. */
export function withKey(name: string, key: string): string {
  return `${name} (${key})`;
}
