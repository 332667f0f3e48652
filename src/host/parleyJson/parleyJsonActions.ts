import * as vscode from 'vscode';
import { ServiceError } from '../../client/serviceError';
import { showWarning } from '../base/dialogs';
import { PARLEY_JSON_PATH } from '../base/names';
import type { Bots } from '../service/bots';
import type { ServiceList } from '../service/serviceList';
import { pickService } from '../service/servicePicker';
import { MAX_BOTS } from './parleyJson';

const { t } = vscode.l10n;

/** Creates `.vscode/parley.json`. */
export class ParleyJsonActions {
  readonly #serviceList: ServiceList;
  readonly #bots: Bots;

  constructor({ serviceList, bots }: { serviceList: ServiceList; bots: Bots }) {
    this.#serviceList = serviceList;
    this.#bots = bots;
  }

  /** Writes the file from a service and its bots, and opens it; one that is there already is only opened. */
  async create(): Promise<void> {
    const folder = await pickFolder();
    if (!folder) return;
    const uri = vscode.Uri.joinPath(folder.uri, ...PARLEY_JSON_PATH);
    if (!(await exists(uri))) {
      const service = await pickService(this.#serviceList, t('Create parley.json'));
      if (!service) return;
      const bots = await this.#listBots(service.baseUrl);
      const json = {
        service: { name: service.name, baseUrl: service.baseUrl },
        bots: bots.slice(0, MAX_BOTS).map(({ id, name }) => ({ id, name, for: [] })),
      };
      await vscode.workspace.fs.writeFile(
        uri,
        new TextEncoder().encode(`${JSON.stringify(json, null, 2)}\n`),
      );
    }
    await vscode.window.showTextDocument(uri);
  }

  /** Returns the bots of the service, or its default bot if they can't be listed. */
  async #listBots(baseUrl: string): Promise<readonly { readonly id: string; readonly name: string }[]> {
    const known = this.#bots.getDefault(baseUrl);
    try {
      return (await this.#bots.listBots(baseUrl)) ?? (known ? [known] : []);
    } catch (error) {
      // The request is in the log.
      if (!(error instanceof ServiceError)) throw error;
      return known ? [known] : [];
    }
  }
}

async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) void showWarning(t('Open a folder first.'));
  return folders.length < 2 ? folders[0] : vscode.window.showWorkspaceFolderPick();
}

function exists(uri: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
