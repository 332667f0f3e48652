import { TimeSlicer } from '../highlight/timeSlicer';
import type { drawFormula } from './drawing';
import type { Formula } from './formula';

/** Draws the formulas of replies. The code for it is loaded for the first formula. */
export class Formulas {
  readonly #work = new TimeSlicer();
  /** Formulas added before drawing was loaded. */
  #early: Formula[] = [];
  #draw: typeof drawFormula | undefined;
  #loading: Promise<void> | undefined;
  /** Time in ms spent on drawing in the current task. */
  #spent = 0;

  /** Draws a formula in place of its source: at once, or in slices if there are many. */
  add(formula: Formula): void {
    this.#loading ??= this.#load();
    if (!this.#draw) this.#early.push(formula);
    else if (this.#spent < TimeSlicer.slice) this.#drawNow(this.#draw, formula);
    else this.#work.add(steps(this.#draw, formula));
  }

  #drawNow(draw: typeof drawFormula, formula: Formula): void {
    if (this.#spent === 0) queueMicrotask(() => (this.#spent = 0));
    const start = performance.now();
    draw(formula);
    this.#spent += performance.now() - start;
  }

  async #load(): Promise<void> {
    try {
      const { drawFormula } = await import('./drawing');
      this.#draw = drawFormula;
      for (const formula of this.#early) this.#work.add(steps(drawFormula, formula));
    } catch (error) {
      // Formulas are readable as their source.
      console.error("Couldn't load formula drawing:", error);
    }
    this.#early = [];
  }
}

function* steps(draw: typeof drawFormula, formula: Formula): Generator<void> {
  draw(formula);
  yield;
}
