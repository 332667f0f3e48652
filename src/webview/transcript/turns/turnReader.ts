import { TimeSlicer } from '../../base/timeSlicer';

/** Time in which changes of the page are gathered: a reply changes with every frame. */
const CHANGE_DELAY_MS = 50;
/** Turns after which what was read is passed on, so that what is visible is found at once. */
const TURNS_PER_UPDATE = 64;

/** Content read from turns; turns without a value are gone. */
export type TurnUpdate<T> = readonly (readonly [turnId: string, value?: T])[];

/** Reads all turns from the page, the last ones first, and follows their changes. */
export class TurnReader<T> {
  readonly #content: HTMLElement;
  readonly #readTurn: (turn: HTMLElement) => T;
  readonly #onUpdate: (update: TurnUpdate<T>) => void;
  readonly #slicer = new TimeSlicer();
  readonly #observer = new MutationObserver((records) => this.#onMutations(records));
  /** The turns by ID, in their order. */
  #turns = new Map<string, HTMLElement>();
  #turnIds: readonly string[] = [];
  #changed = new Set<HTMLElement>();
  readonly #read = new WeakMap<HTMLElement, { readonly value: T }>();
  #turnsChanged = true;
  #reading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    content: HTMLElement,
    readTurn: (turn: HTMLElement) => T,
    onUpdate: (update: TurnUpdate<T>) => void,
  ) {
    this.#content = content;
    this.#readTurn = readTurn;
    this.#onUpdate = onUpdate;
    this.#observer.observe(content, { childList: true, characterData: true, subtree: true });
    this.#update();
  }

  /** The IDs of the turns in their order; a new array when they change. */
  get turnIds(): readonly string[] {
    return this.#turnIds;
  }

  get turnCount(): number {
    return this.#turns.size;
  }

  /** Whether all turns in the page have been read. */
  get isComplete(): boolean {
    return !this.#reading && !this.#turnsChanged && this.#changed.size === 0;
  }

  getTurn(turnId: string): HTMLElement | undefined {
    return this.#turns.get(turnId);
  }

  /** Returns the current content of a turn. */
  read(turn: HTMLElement): T {
    const read = this.#read.get(turn) ?? { value: this.#readTurn(turn) };
    this.#read.set(turn, read);
    return read.value;
  }

  dispose(): void {
    this.#observer.disconnect();
    clearTimeout(this.#timer);
    this.#changed.clear();
  }

  #onMutations(records: readonly MutationRecord[]): void {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const turn = element?.closest('article');
      if (turn) {
        this.#read.delete(turn);
        this.#changed.add(turn);
      } else this.#turnsChanged = true;
    }
    if (!this.#reading) this.#timer ??= setTimeout(() => this.#update(), CHANGE_DELAY_MS);
  }

  #update(): void {
    this.#timer = undefined;
    const gone = this.#turnsChanged ? this.#listTurns() : [];
    if (gone.length > 0) this.#onUpdate(gone.map((turnId) => [turnId]));
    this.#reading = true;
    this.#slicer.addJob(this.#readChanged());
  }

  /** Lists the turns in the page again. Returns the IDs of those that are gone. */
  #listTurns(): string[] {
    this.#turnsChanged = false;
    const before = this.#turns;
    this.#turns = new Map();
    for (const section of this.#content.children) {
      // Much faster than a search of everything in the turns.
      for (const turn of section.children)
        if (turn instanceof HTMLElement && turn.localName === 'article')
          this.#turns.set(turn.getAttribute('data-turn') ?? '', turn);
    }
    this.#turnIds = [...this.#turns.keys()];
    for (const [turnId, turn] of this.#turns) if (before.get(turnId) !== turn) this.#changed.add(turn);
    return [...before.keys()].filter((turnId) => !this.#turns.has(turnId));
  }

  *#readChanged(): Generator<undefined, void> {
    const changed = [...this.#changed].reverse();
    this.#changed.clear();
    let update: (readonly [string, T])[] = [];
    for (const turn of changed) {
      const turnId = turn.dataset.turn ?? '';
      if (this.#turns.get(turnId) !== turn) continue;
      update.push([turnId, this.read(turn)]);
      if (update.length >= TURNS_PER_UPDATE) {
        this.#onUpdate(update);
        update = [];
      }
      yield;
    }
    this.#reading = false;
    if (this.#changed.size > 0 || this.#turnsChanged)
      this.#timer ??= setTimeout(() => this.#update(), CHANGE_DELAY_MS);
    this.#onUpdate(update);
  }
}
