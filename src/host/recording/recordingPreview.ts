import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposables';
import { RECORDING_SCHEME } from '../base/names';

/** Shows recordings in read-only editors. They are only in memory: an untitled file would be backed up on the disk. */
export class RecordingPreview implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #store = new DisposableStore();
  /** By URI. */
  readonly #texts = new Map<string, string>();

  constructor() {
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(RECORDING_SCHEME, this));
    this.#store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(`${uri}`)));
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(`${uri}`);
  }

  /** Opens a recording in an editor. */
  async show(name: string, text: string): Promise<vscode.Uri> {
    // Of two documents with the same URI, VS Code may show the text of the first.
    const query = crypto.randomUUID();
    const uri = vscode.Uri.from({ scheme: RECORDING_SCHEME, path: `/${name}`, query });
    this.#texts.set(`${uri}`, text);
    await vscode.window.showTextDocument(uri, { preview: false });
    return uri;
  }

  /** Closes the editors of a recording. */
  async close(uri: vscode.Uri): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(
      tabs.filter(({ input }) => input instanceof vscode.TabInputText && `${input.uri}` === `${uri}`),
    );
    this.#texts.delete(`${uri}`);
  }

  dispose(): void {
    this.#texts.clear();
    this.#store.dispose();
  }
}
