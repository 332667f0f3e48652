import { importWithRetries } from '../base/importWithRetries';
import { TimeSlicer } from '../base/timeSlicer';
import type { drawFormula } from './drawing';
import type { Formula } from './formula';

/** Draws the formulas of replies. The code for it is loaded for the first formula. */
export class Formulas {
  readonly #work = new TimeSlicer();
  /** Formulas added before drawing was loaded. */
  #earlyFormulas: Formula[] = [];
  #draw: typeof drawFormula | undefined;
  #loading: Promise<void> | undefined;
  /** Time in ms spent on drawing in the current task. */
  #spentMs = 0;

  /** Draws a formula in place of its source: at once, or in slices if there are many. */
  addFormula(formula: Formula): void {
    this.#loading ??= this.#load();
    if (!this.#draw) this.#earlyFormulas.push(formula);
    else if (this.#spentMs < TimeSlicer.sliceMs) this.#drawNow(this.#draw, formula);
    else this.#work.addJob(drawInSteps(this.#draw, formula));
  }

  #drawNow(draw: typeof drawFormula, formula: Formula): void {
    if (this.#spentMs === 0) queueMicrotask(() => (this.#spentMs = 0));
    const start = performance.now();
    draw(formula);
    this.#spentMs += performance.now() - start;
  }

  async #load(): Promise<void> {
    try {
      const { drawFormula } = await importWithRetries(() => import('./drawing'));
      this.#draw = drawFormula;
      for (const formula of this.#earlyFormulas) this.#work.addJob(drawInSteps(drawFormula, formula));
    } catch (error) {
      // Formulas are readable as their source.
      console.error("Couldn't load formula drawing:", error);
    }
    this.#earlyFormulas = [];
  }
}

function* drawInSteps(draw: typeof drawFormula, formula: Formula): Generator<void> {
  draw(formula);
  yield;
}
