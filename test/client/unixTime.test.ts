import assert from 'node:assert/strict';
import { toUnixSeconds } from '../../src/client/unixTime';

describe('toUnixSeconds', () => {
  const NOON = 1_714_564_800;
  for (const [what, value, seconds] of [
    ['seconds', NOON, NOON],
    ['milliseconds', NOON * 1000 + 500, NOON + 0.5],
    ['seconds as text', `${NOON}`, NOON],
    ['milliseconds as text', ` ${NOON}000 `, NOON],
    ['an ISO 8601 date and time', '2024-05-01T12:00:00.000000Z', NOON],
    ['a date and time with a zone', '2024-05-01T14:00:00+02:00', NOON],
    ['a date and time without a zone, in UTC', '2024-05-01 12:00:00', NOON],
    ['a date', '2024-05-01', NOON - 43_200],
    ['a time before 1970', -1, -1],
    ['no time: a word', 'yesterday', undefined],
    ['no time: an empty text', '', undefined],
    ['no time: a number that is not finite', Number.NaN, undefined],
    ['no time: microseconds', NOON * 1e6, undefined],
    ['no time: a date that does not exist', '2024-13-41', undefined],
    ['no time: an object', { date: NOON }, undefined],
    ['no time: nothing', null, undefined],
  ] as const) {
    it(`reads ${what}`, () => assert.equal(toUnixSeconds(value), seconds));
  }
});
