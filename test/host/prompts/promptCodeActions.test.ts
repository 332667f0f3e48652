import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { PromptCodeActions } from '../../../src/host/prompts/promptCodeActions';
import type { Prompt } from '../../../src/host/prompts/storedPrompt';
import { waitUntil } from '../../support/waitUntil';

const LIST = 'Ask Parley with Prompt…';
const github = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '.github');

describe('The lightbulb’s prompts', () => {
  let names: readonly string[];
  let reads: number;
  let failure: Error | undefined;
  let errors: unknown[];
  let storage: string;
  let provider: PromptCodeActions;
  let document: vscode.TextDocument;

  beforeEach(async () => {
    names = ['Rate'];
    reads = 0;
    failure = undefined;
    errors = [];
    storage = await mkdtemp(path.join(os.tmpdir(), 'parley-prompts-'));
    const list = async (): Promise<readonly Prompt[]> => {
      reads++;
      if (failure) throw failure;
      return names.map((name) => ({ id: `personal/${name}`, source: 'personal', name, body: '' }));
    };
    provider = new PromptCodeActions(list, vscode.Uri.file(storage), (error) => errors.push(error));
    document = await vscode.workspace.openTextDocument({ content: 'one two' });
  });
  afterEach(async () => {
    provider.dispose();
    await rm(github, { recursive: true, force: true });
    await rm(storage, { recursive: true, force: true });
  });

  const getActions = (end = 3) => provider.provideCodeActions(document, new vscode.Range(0, 0, 0, end));
  /** Writes a prompt until it changes the first entry: VS Code doesn't say when its watchers have started. */
  const writeUntilFirst = (title: string, write: () => Promise<void>) =>
    waitUntil(`The first entry is ${title}`, async () => {
      await write();
      return (await getTitles())[0] === title;
    });
  const getTitles = async () => (await getActions()).map(({ title }) => title);

  it('are entries of their own, before the list of all, for a selection only', async () => {
    const actions = await getActions();
    assert.deepEqual(
      actions.map(({ title, command }) => [title, command?.arguments?.[0]]),
      [
        ['Ask Parley: Rate', 'personal/Rate'],
        [LIST, undefined],
      ],
    );
    assert.deepEqual(await getActions(0), []);
  });

  it('are eight at most, on one line without links or invisible characters [attack: prompt file]', async () => {
    names = ['a\n\u202eb [x](command:y)', ...Array.from({ length: 20 }, (_, index) => `${index}`)];
    const titles = await getTitles();
    assert.deepEqual(titles.slice(0, 2), ['Ask Parley: a b [x] (command:y)', 'Ask Parley: 0']);
    assert.deepEqual([titles.length, titles.at(-1)], [9, LIST]);
  });

  it('are read once, and again after a change of the prompt files', async () => {
    for (let selection = 0; selection < 5; selection++) await getTitles();
    assert.equal(reads, 1);
    names = ['Changed'];
    const folder = path.join(github, 'prompts');
    await writeUntilFirst('Ask Parley: Changed', async () => {
      // A folder that is created before its parent is watched is never watched.
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'a.prompt.md'), '');
    });
    names = ['Personal'];
    await writeUntilFirst('Ask Parley: Personal', () =>
      writeFile(path.join(storage, 'b.prompt.md'), randomUUID()),
    );
  });

  it('are only the list if the prompts can’t be read, which is logged once, and are read again at the next selection', async () => {
    failure = new Error('unreadable');
    for (let selection = 0; selection < 3; selection++) assert.deepEqual(await getTitles(), [LIST]);
    assert.deepEqual([reads, errors], [3, [failure]]);
    failure = undefined;
    assert.deepEqual(await getTitles(), ['Ask Parley: Rate', LIST]);
    assert.deepEqual(await getTitles(), ['Ask Parley: Rate', LIST]);
    assert.equal(reads, 4);
  });
});
