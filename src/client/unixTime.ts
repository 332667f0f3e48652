/** No date in seconds is as large, and no date in milliseconds since 1973 is as small. */
const MIN_MILLISECONDS = 1e11;
/** The end of the year 9999: formatting a much later time would throw. */
const MAX_SECONDS = 253_402_300_799;
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Reads a time as Unix seconds (docs/service.md: Rules for every operation): a number or numeric text in seconds or
 * milliseconds, or an ISO 8601 date, in UTC if it names no zone. Returns undefined for anything else.
 */
export function toUnixSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? readText(value.trim()) : readNumber(value);
  return seconds !== undefined && Math.abs(seconds) <= MAX_SECONDS ? seconds : undefined;
}

function readNumber(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Math.abs(value) < MIN_MILLISECONDS ? value : value / 1000;
}

function readText(text: string): number | undefined {
  if (/^-?\d{1,16}(\.\d{1,9})?$/.test(text)) return readNumber(Number(text));
  const [, date, time = '00:00', zone = 'Z'] = ISO_DATE.exec(text) ?? [];
  const ms = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(ms) ? undefined : ms / 1000;
}
