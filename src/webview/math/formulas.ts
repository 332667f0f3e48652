import { TimeSlicer } from '../highlight/timeSlicer';
import type { drawFormula } from './drawing';
import type { Formula } from './formula';

/** Draws the formulas of replies. What that takes is loaded when the first one comes. */
export class Formulas {
  readonly #work = new TimeSlicer();
  /** Formulas that came before the drawing did. */
  #early: Formula[] = [];
  #draw: typeof drawFormula | undefined;
  #loading: Promise<void> | undefined;
  /** ms that drawing has taken of the task that runs. */
  #spent = 0;

  /** Draws a formula in place of its source: at once, unless many come together. */
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
      // Formulas stay readable as their source.
      console.error('No drawing of formulas:', error);
    }
    this.#early = [];
  }
}

function* steps(draw: typeof drawFormula, formula: Formula): Generator<void> {
  draw(formula);
  yield;
}
