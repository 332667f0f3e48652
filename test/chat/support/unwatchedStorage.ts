import type { StorageWatcher } from '../../../src/chat/store/files/storage';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';

/** A folder whose watcher reports nothing. */
export class UnwatchedStorage extends NodeStorage {
  override watch(): StorageWatcher {
    return { started: Promise.resolve(), dispose: () => undefined };
  }
}
