import { EventEmitter, once } from 'node:events';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';

/** A disk on which the first read of one file waits until it is released. */
export class HeldStorage extends NodeStorage {
  readonly #held: string;
  readonly #disk = new EventEmitter();
  /** Resolves when the read waits. */
  readonly isReading = once(this.#disk, 'reading');
  readonly #mayRead = once(this.#disk, 'released');

  constructor(folder: string, held: string) {
    super(folder);
    this.#held = held;
  }

  release(): void {
    this.#disk.emit('released');
  }

  override async readFile(...[name, ...range]: Parameters<NodeStorage['readFile']>) {
    if (name === this.#held && this.#disk.emit('reading')) await this.#mayRead;
    return super.readFile(name, ...range);
  }
}
