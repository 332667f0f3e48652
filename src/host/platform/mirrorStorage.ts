import type * as vscode from 'vscode';
import type { MirrorPart, MirrorStorage } from '../../chat/mirror/mirror';

/** Memento keys of the parts. */
const KEYS: Readonly<Record<MirrorPart, string>> = {
  synced: 'parley.mirror.synced',
  local: 'parley.mirror.local',
};

/**
 * Keeps the mirror in the extension's global state: on the user's own machine even if the extension host is remote
 * (microsoft/vscode#130099). Settings Sync may exchange the synced part with the user's other machines.
 */
export function createMirrorStorage(
  globalState: vscode.Memento & Pick<vscode.ExtensionContext['globalState'], 'setKeysForSync'>,
): MirrorStorage {
  globalState.setKeysForSync([KEYS.synced]);
  return {
    read: (part) => globalState.get(KEYS[part]),
    write: async (part, items) => globalState.update(KEYS[part], items),
  };
}
