import type { CDPSession, Page } from 'playwright-core';
import type * as pageScript from './page';
import { type ReplyKind, reply } from './reply';

declare const bench: typeof pageScript;
/** parsers.mjs, whose packages are only installed for the benchmark: returns the time of each parser, in ms. */
declare const parsers: { measureParsers(text: string): Record<string, number> };

export interface Measurement {
  readonly name: string;
  readonly kind: ReplyKind;
  /** Text in KB (1,000 characters). */
  readonly size: number;
  readonly chunk: number;
  readonly everyFrame?: boolean;
}

export interface Measured extends Measurement {
  /** CPU time of the main thread for script, layout and paint; undefined if not run. */
  readonly ms: number | undefined;
  /** Wall-clock time of script and layout, of all updates and of the longest one, in ms. */
  readonly updates: number;
  readonly longest: number;
  readonly lateFrames: number;
  readonly nodes: number;
}

/** Runs measurements in one page. */
export class Measurer {
  readonly #page: Page;
  #session: CDPSession | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  async open(content: { readonly scripts: readonly string[]; readonly styles: string }): Promise<void> {
    await this.#page.setContent('<!doctype html><body></body>');
    await this.#page.addStyleTag({ content: content.styles });
    for (const script of content.scripts) await this.#page.addScriptTag({ content: script });
    this.#session = await this.#page.context().newCDPSession(this.#page);
    // Thread ticks exclude the time of other processes.
    await this.#session.send('Performance.enable', { timeDomain: 'threadTicks' });
  }

  /** Runs contenders in turns, so that a busy machine affects all of them; returns the median of each. */
  async measureSideBySide(
    names: readonly string[],
    what: Omit<Measurement, 'name'>,
    rounds: number,
  ): Promise<Measured[]> {
    const runs = new Map<string, Measured[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const name of names) runs.get(name)?.push(await this.#measureOnce({ ...what, name }));
    }
    return [...runs.values()].flatMap((all) => findMedian(all) ?? []);
  }

  async measure(measurement: Measurement, rounds: number): Promise<Measured> {
    const [result] = await this.measureSideBySide([measurement.name], measurement, rounds);
    if (!result) throw new Error(`${measurement.name} was not measured.`);
    return result;
  }

  /** Measures how long each parser takes for a whole text of this many KB, in ms, without building nodes. */
  async measureParsers(size: number): Promise<Record<string, number>> {
    return await this.#page.evaluate((text) => parsers.measureParsers(text), reply('mixed', size * 1000));
  }

  async #measureOnce(measurement: Measurement): Promise<Measured> {
    const { name, kind, size, chunk, everyFrame = false } = measurement;
    const text = reply(kind, size * 1000);
    await this.#session?.send('HeapProfiler.collectGarbage');
    const before = await this.#readTaskTime();
    const run = { contender: name, text, chunk, everyFrame };
    const result = await this.#page.evaluate((what) => bench.run(what), run);
    const ms = (await this.#readTaskTime()) - before;
    const { updates, longestUpdate: longest, lateFrames, nodes } = result;
    const how = everyFrame ? ', every frame' : '';
    process.stderr.write(`${name}: ${kind} ${size} KB by ${chunk}${how}: ${ms.toFixed(0)} ms\n`);
    return { ...measurement, ms, updates, longest, lateFrames, nodes };
  }

  async #readTaskTime(): Promise<number> {
    const metrics = await this.#session?.send('Performance.getMetrics');
    return (metrics?.metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  }
}

function findMedian(all: readonly Measured[]): Measured | undefined {
  return all.toSorted((one, other) => (one.ms ?? 0) - (other.ms ?? 0))[Math.floor(all.length / 2)];
}
