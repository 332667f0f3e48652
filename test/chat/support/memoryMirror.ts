import assert from 'node:assert/strict';
import { Mirror, type MirrorPart, type MirrorStorage } from '../../../src/chat/mirror/mirror';

/** What VS Code keeps on a user's machine, for all windows; as VS Code, it returns copies. */
export class MachineState implements MirrorStorage {
  readonly parts = new Map<MirrorPart, string>();
  writes = 0;

  read(part: MirrorPart): unknown {
    return JSON.parse(this.parts.get(part) ?? 'null');
  }

  async write(part: MirrorPart, items: unknown): Promise<void> {
    this.writes++;
    this.parts.set(part, JSON.stringify(items));
  }
}

export function createMirror(state = new MachineState(), now: () => number = Date.now): Mirror {
  return new Mirror(state, assert.ifError, now);
}
