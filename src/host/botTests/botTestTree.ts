import * as vscode from 'vscode';
import {
  type BotTestFile,
  type BotTestItem,
  type BotTestQuestion,
  MAX_BOT_TEST_BYTES,
  MAX_BOT_TEST_FILES,
} from '../../chat/botTests/botTest';
import { describeProblem } from '../../chat/botTests/botTestTexts';
import { parseBotTest } from '../../chat/botTests/parseBotTest';
import { DisposableStore } from '../base/disposables';
import { BotTest } from '../base/names';
import { findUnsavedDocument } from '../files/editorText';
import { readWorkspaceText } from '../platform/workspacePlace';
import { createDiagnostic, createTestItem, setItemError } from './inertTests';

const { t } = vscode.l10n;

/** Changes of a document, or files that are created, within this time are read once. */
const CHANGE_DELAY_MS = 300;

/** A question with its item in the Test Explorer. */
export interface ListedQuestion {
  readonly item: vscode.TestItem;
  readonly uri: vscode.Uri;
  readonly file: BotTestFile;
  readonly question: BotTestQuestion;
}

/** The files of the workspace with bot tests, as items of the Test Explorer, and the diagnostics of what isn't understood. */
export class BotTestTree implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(vscode.languages.createDiagnosticCollection('parley.botTests'));
  /** The questions of the files that were read, by their items. */
  readonly #questions = new WeakMap<vscode.TestItem, ListedQuestion>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Files that were created since the last listing. */
  #created: vscode.Uri[] = [];
  /** Lists the files once; what changes later is watched. */
  #listing: Promise<void> | undefined;

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
    const { workspace } = vscode;
    const watcher = this.#store.add(workspace.createFileSystemWatcher(BotTest.glob));
    watcher.onDidCreate((uri) => this.#onCreate(uri));
    watcher.onDidChange((uri) => this.#readListed(uri));
    // A late event of a file that is there again, as after a change of branches, removes nothing.
    watcher.onDidDelete((uri) => this.#readListed(uri));
    this.#store.add(workspace.onDidOpenTextDocument((document) => this.#onDocument(document)));
    this.#store.add(workspace.onDidChangeTextDocument(({ document }) => this.#onDocumentChange(document)));
    this.#store.add(workspace.onDidChangeWorkspaceFolders(() => void this.refreshFiles()));
    this.#store.add({ dispose: () => this.#clearTimers() });
    for (const document of workspace.textDocuments) this.#onDocument(document);
  }

  /** Adds the children of an item: without one, the files. */
  async resolveItem(item: vscode.TestItem | undefined): Promise<void> {
    if (item?.uri) await this.#read(item.uri);
    else {
      this.#listing ??= this.#list();
      await this.#listing;
    }
  }

  /** Finds and reads the files again. */
  async refreshFiles(): Promise<void> {
    this.#listing = this.#list();
    await this.#listing;
    await Promise.all([...this.#controller.items].map(([, item]) => item.uri && this.#read(item.uri)));
  }

  /** Reads the files of items again, and returns the questions at or below them. Without items, those of all files. */
  async collectQuestions(
    include: readonly vscode.TestItem[] | undefined,
    exclude: readonly vscode.TestItem[] = [],
  ): Promise<readonly ListedQuestion[]> {
    if (!include) await this.resolveItem(undefined);
    const wanted = include ?? [...this.#controller.items].map(([, item]) => item);
    const ids = wanted.map(({ id }) => id);
    const excluded = new Set(exclude.map(({ id }) => id));
    const uris = new Map(wanted.flatMap(({ uri }) => (uri ? [[uri.toString(), uri] as const] : [])));
    for (const uri of uris.values()) await this.#read(uri);
    const found = new Map<string, ListedQuestion>();
    const collect = (item: vscode.TestItem, isWanted: boolean) => {
      if (excluded.has(item.id)) return;
      const isIncluded = isWanted || ids.includes(item.id);
      const listed = this.#questions.get(item);
      if (listed && isIncluded) found.set(item.id, listed);
      for (const [, child] of item.children) collect(child, isIncluded);
    };
    for (const uri of uris.keys()) {
      const item = this.#controller.items.get(uri);
      if (item) collect(item, false);
    }
    return [...found.values()];
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #list(): Promise<void> {
    const { items } = this.#controller;
    const found = await vscode.workspace.findFiles(BotTest.glob, BotTest.excluded, MAX_BOT_TEST_FILES);
    const names = new Set(found.map((uri) => uri.toString()));
    for (const [id, item] of items)
      if (!names.has(id) && item.uri && !isOpen(item.uri)) this.#remove(item.uri);
    for (const uri of found) this.#addFile(uri);
  }

  #addFile(uri: vscode.Uri): vscode.TestItem | undefined {
    const { items } = this.#controller;
    const id = uri.toString();
    const known = items.get(id);
    if (known || items.size >= MAX_BOT_TEST_FILES) return known;
    // No description: VS Code reads it to screen readers instead of the label.
    const item = createTestItem(this.#controller, id, vscode.workspace.asRelativePath(uri), uri);
    item.canResolveChildren = true;
    items.add(item);
    return item;
  }

  async #read(uri: vscode.Uri): Promise<void> {
    const saved = await readSavedText(uri);
    // Its editor may have been changed while the file was read.
    const text = findUnsavedDocument(uri)?.getText() ?? saved;
    if (text === undefined) this.#remove(uri);
    else this.#update(uri, text);
  }

  #update(uri: vscode.Uri, text: string): void {
    const fileItem = this.#addFile(uri);
    if (!fileItem) return;
    const file = parseBotTest(text);
    const problems = file.problems.map((problem) =>
      createDiagnostic(describeProblem(problem, t), problem.line),
    );
    this.#diagnostics.set(uri, problems);
    const [first] = file.items.length === 0 ? file.problems : [file.problem];
    setItemError(fileItem, first && describeProblem(first, t));
    fileItem.canResolveChildren = true;
    fileItem.children.replace(this.#createItems(uri, file, file.items, fileItem.id));
  }

  #createItems(
    uri: vscode.Uri,
    file: BotTestFile,
    items: readonly BotTestItem[],
    parentId: string,
  ): vscode.TestItem[] {
    const counts = new Map<string, number>();
    return items.map((each) => {
      // Ids don't depend on the lines, so that results stay when a file is edited.
      const count = (counts.get(each.title) ?? 0) + 1;
      counts.set(each.title, count);
      const id = `${parentId}\n${each.title}${count > 1 ? `\t${count}` : ''}`;
      const item = createTestItem(this.#controller, id, each.title, uri, each.line);
      item.sortText = String(each.line).padStart(6, '0');
      if (each.kind === 'question') {
        this.#questions.set(item, { item, uri, file, question: each });
        setItemError(item, each.problem && describeProblem(each.problem, t));
      } else item.children.replace(this.#createItems(uri, file, each.children, id));
      return item;
    });
  }

  #readListed(uri: vscode.Uri): void {
    if (this.#controller.items.get(uri.toString())) void this.#read(uri);
  }

  /** Adds a file if a search finds it: the watcher also reports those in excluded folders, like `node_modules`. */
  #onCreate(uri: vscode.Uri): void {
    this.#created.push(uri);
    this.#runDelayed('created', async () => {
      const created = this.#created;
      this.#created = [];
      await this.#list();
      for (const each of created) this.#readListed(each);
    });
  }

  #onDocument({ uri }: vscode.TextDocument): void {
    if (isBotTest(uri)) void this.#read(uri);
  }

  #onDocumentChange(document: vscode.TextDocument): void {
    const { uri } = document;
    if (!isBotTest(uri)) return;
    this.#runDelayed(uri.toString(), () => {
      if (!document.isClosed) this.#update(uri, document.getText());
    });
  }

  #runDelayed(key: string, run: () => unknown): void {
    clearTimeout(this.#timers.get(key));
    const onTimeout = () => {
      this.#timers.delete(key);
      void run();
    };
    this.#timers.set(key, setTimeout(onTimeout, CHANGE_DELAY_MS));
  }

  #remove(uri: vscode.Uri): void {
    this.#controller.items.delete(uri.toString());
    this.#diagnostics.delete(uri);
  }

  #clearTimers(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}

function isBotTest(uri: vscode.Uri): boolean {
  return uri.path.endsWith(BotTest.extension) && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

function isOpen(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
}

/** Returns the text of a file, or one that is too long for it; undefined if there is none. */
async function readSavedText(uri: vscode.Uri): Promise<string | undefined> {
  const text = await readWorkspaceText(uri, MAX_BOT_TEST_BYTES);
  if (text !== undefined || !(await isTooLarge(uri))) return text;
  return ' '.repeat(MAX_BOT_TEST_BYTES + 1);
}

function isTooLarge(uri: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ size }) => size > MAX_BOT_TEST_BYTES,
    () => false,
  );
}
