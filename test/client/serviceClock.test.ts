import assert from 'node:assert/strict';
import { ServiceClock } from '../../src/client/serviceClock';

const NOW = 1_739_534_400_000;

describe('ServiceClock', () => {
  const headers = (ms: number) => new Headers({ date: new Date(ms).toUTCString() });

  it("returns this machine's time until a response has a date", () => {
    const clock = new ServiceClock();
    clock.update(new Headers(), NOW);
    clock.update(new Headers({ date: 'soon' }), NOW);
    assert.equal(clock.toServiceTime(NOW), NOW);
  });

  it('never goes back although dates are whole seconds', () => {
    const clock = new ServiceClock();
    clock.update(headers(NOW + 3_600_000), NOW + 100);
    const first = clock.toServiceTime(NOW + 100);
    clock.update(headers(NOW + 3_600_000), NOW + 900);
    assert.equal(clock.toServiceTime(NOW + 900) - first, 800);
    clock.update(headers(NOW + 3_601_000), NOW + 1000);
    assert.equal(clock.toServiceTime(NOW + 1000), NOW + 3_601_000);
  });

  it('follows a clock that was set', () => {
    const clock = new ServiceClock();
    clock.update(headers(NOW + 3_600_000), NOW);
    clock.update(headers(NOW), NOW);
    assert.equal(clock.toServiceTime(NOW), NOW);
  });

  it('ignores a date so far away that a time after it would be no date', () => {
    const clock = new ServiceClock();
    for (const date of [8.64e15, 8.64e15 - 1000, -5e13]) clock.update(headers(date), NOW);
    assert.equal(clock.toServiceTime(NOW), NOW);
  });

  it('takes a difference of up to 3 s for the time that a response took to arrive', () => {
    for (const [difference, expected] of [
      [-3000, NOW],
      [-4000, NOW - 4000],
    ] as const) {
      const clock = new ServiceClock();
      clock.update(headers(NOW), NOW);
      clock.update(headers(NOW + difference), NOW);
      assert.equal(clock.toServiceTime(NOW), expected);
    }
  });
});
