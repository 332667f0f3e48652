import { cases } from '../../../support/fuzz';
import { crashProperties } from './crashProperties';
import type { CrashFixture } from './crashWindow';

/** Tests the promises that every storage keeps. */
export function describeCrashes(createFixture: () => Promise<CrashFixture>, numRuns: number): void {
  for (const [title, check] of Object.entries(crashProperties)) {
    it(title, () => check(createFixture, cases(numRuns)));
  }
}
