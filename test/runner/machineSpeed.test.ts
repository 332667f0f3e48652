import assert from 'node:assert/strict';
import { chooseLanes, describeMachine, measureMachine } from './machineSpeed';

describe('The speed of the machine', () => {
  it('is measured with each core, and is not that of a broken measurement', async () => {
    const { cores, slowness } = await measureMachine();
    assert.ok(cores >= 1 && slowness > 0 && Number.isFinite(slowness), `${cores} cores, ${slowness}`);
  });

  it('decides how many lanes there are, and how long a whole run is said to take', () => {
    const [quick, slow] = [
      { cores: 2, slowness: 1 },
      { cores: 2, slowness: 4 },
    ];
    assert.deepEqual(
      [chooseLanes(quick), chooseLanes(slow), chooseLanes({ cores: 8, slowness: 1 })],
      [3, 2, 12],
    );
    const minutes = [describeMachine(quick, 3, true), describeMachine(slow, 2, true)].map((text) =>
      Number(/about (\d+) minutes/.exec(text)?.[1]),
    );
    assert.ok((minutes[1] ?? 0) > 4 * (minutes[0] ?? Number.NaN), `${minutes}`);
    assert.doesNotMatch(describeMachine(quick, 3, false), /minutes/);
  });
});
