import type { CDPSession, Page } from 'playwright-core';
import type * as pageScript from './page';
import type * as parsersScript from './parsers.mjs';
import { type ReplyKind, reply } from './reply';

declare const bench: typeof pageScript;
declare const parsers: typeof parsersScript;

export interface Measurement {
  readonly name: string;
  readonly kind: ReplyKind;
  /** KB of text (1,000 characters). */
  readonly size: number;
  readonly chunk: number;
  readonly everyFrame?: boolean;
}

export interface Measured extends Measurement {
  /** What the main thread ran: script, layout and paint, by its own clock; undefined if it was not run. */
  readonly ms: number | undefined;
  /** Script and layout of all updates and of the longest one, by the clock on the wall (ms). */
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
    // Thread ticks leave out what other processes take from this one.
    await this.#session.send('Performance.enable', { timeDomain: 'threadTicks' });
  }

  /** Runs contenders in turns, so that a busy machine is busy for all; gives each one's median. */
  async sideBySide(
    names: readonly string[],
    what: Omit<Measurement, 'name'>,
    rounds: number,
  ): Promise<Measured[]> {
    const runs = new Map<string, Measured[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const name of names) runs.get(name)?.push(await this.#once({ ...what, name }));
    }
    return [...runs.values()].flatMap((all) => median(all) ?? []);
  }

  async measure(measurement: Measurement, rounds: number): Promise<Measured> {
    const [result] = await this.sideBySide([measurement.name], measurement, rounds);
    if (!result) throw new Error(`${measurement.name} was not measured.`);
    return result;
  }

  /** Milliseconds that each parser takes for a whole text of so many KB, without building anything. */
  async parsers(size: number): Promise<Record<string, number>> {
    return await this.#page.evaluate((text) => parsers.measureParsers(text), reply('mixed', size * 1000));
  }

  async #once(measurement: Measurement): Promise<Measured> {
    const { name, kind, size, chunk, everyFrame = false } = measurement;
    const text = reply(kind, size * 1000);
    await this.#session?.send('HeapProfiler.collectGarbage');
    const before = await this.#taskTime();
    const run = { contender: name, text, chunk, everyFrame };
    const result = await this.#page.evaluate((what) => bench.run(what), run);
    const ms = (await this.#taskTime()) - before;
    const { updates, longestUpdate: longest, lateFrames, nodes } = result;
    const how = everyFrame ? ', every frame' : '';
    process.stderr.write(`${name}: ${kind} ${size} KB by ${chunk}${how}: ${ms.toFixed(0)} ms\n`);
    return { ...measurement, ms, updates, longest, lateFrames, nodes };
  }

  async #taskTime(): Promise<number> {
    const metrics = await this.#session?.send('Performance.getMetrics');
    return (metrics?.metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  }
}

function median(all: readonly Measured[]): Measured | undefined {
  return all.toSorted((one, other) => (one.ms ?? 0) - (other.ms ?? 0))[Math.floor(all.length / 2)];
}
