import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Command } from '../../../src/host/base/names';
import { ContextActions } from '../../../src/host/context/contextActions';
import { getContextItems } from '../../../src/host/context/contextItems';
import { registerProblemQuickFix } from '../../../src/host/context/problemLightbulb';
import type { Panel } from '../../../src/host/panel/panel';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { until } from '../support/until';

const TEXT = 'let one = 1;\nlet two = 2;\nlet three = one + two;\n';

describe('What goes along with a message', () => {
  let fixture: ChatFixture;
  let recorded: RecordedWindow;
  let choose: (shown: Shown) => unknown;
  let actions: ContextActions;
  let id: string;
  let focused: number;
  let diagnostics: vscode.DiagnosticCollection;

  beforeEach(async () => {
    fixture = await startChat();
    id = fixture.newConversation().id;
    focused = 0;
    choose = () => undefined;
    recorded = new RecordedWindow((shown) => choose(shown));
    diagnostics = vscode.languages.createDiagnosticCollection('context-test');
    const panel = { getCurrentConversationId: async () => id, focus: async () => void focused++ };
    actions = new ContextActions({ chat: fixture.chat, panel: panel as unknown as Panel });
  });
  afterEach(async () => {
    recorded.dispose();
    diagnostics.dispose();
    await vscode.workspace
      .getConfiguration('parley')
      .update('prompts', undefined, vscode.ConfigurationTarget.Global);
    while (vscode.window.activeTextEditor) {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await fixture.close();
  });

  const open = async (selection = new vscode.Selection(1, 0, 2, 0)) => {
    const document = await vscode.workspace.openTextDocument({ content: TEXT, language: 'javascript' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = selection;
    await until(() => vscode.window.activeTextEditor === editor);
    return document;
  };
  const chips = () => fixture.chat.find(id)?.composing?.context ?? [];
  const draft = () => fixture.chat.find(id)?.draft;
  const problem = (message: string, line = 1) =>
    Object.assign(new vscode.Diagnostic(new vscode.Range(line, 4, line, 7), message), {
      source: 'ts',
      code: 7,
    });
  const take = async (label: RegExp) =>
    (await getContextItems()).find((offer) => label.test(offer.label))?.resolve();

  it('is the selection with its lines and language, for a question of one’s own', async () => {
    await open();
    await actions.askAboutSelection();
    const [chip] = chips();
    assert.deepEqual([chips().length, chip?.kind], [1, 'selection']);
    assert.match(chip?.name ?? '', /:2$/);
    assert.match(chip?.text ?? '', /```javascript\nlet two = 2;\n```/);
    assert.deepEqual([draft(), focused], ['', 1]);
  });

  it('is nothing where nothing is selected, which is said', async () => {
    await open(new vscode.Selection(0, 0, 0, 0));
    await actions.askAboutSelection();
    assert.deepEqual([chips(), recorded.texts], [[], ['Select some text in an editor first.']]);
  });

  for (const [which, words] of [
    ['explain', /^Explain this code/],
    ['findProblems', /problem|bug/i],
    ['writeTests', /^Write .*tests/i],
  ] as const) {
    it(`has the words of ${which}, behind what was written already`, async () => {
      await open();
      await actions.askAboutSelection(which);
      assert.match(draft() ?? '', words);
      fixture.chat.composers.setDraft(id, 'Please: ');
      await actions.askAboutSelection(which);
      assert.match(draft() ?? '', new RegExp(`^Please:\n\n.*${words.source.replace('^', '')}`, 'i'));
      assert.deepEqual(fixture.service.requests, []);
    });
  }

  it('has the person’s own words where the settings have some, and ours where those are blank or no text', async () => {
    const prompts = { explain: 'Say it simply.', findProblems: ' ', writeTests: 7 };
    await vscode.workspace
      .getConfiguration('parley')
      .update('prompts', prompts, vscode.ConfigurationTarget.Global);
    for (const [which, words] of [
      ['explain', /^Say it simply\.$/],
      ['findProblems', /\S/],
      ['writeTests', /tests/],
    ] as const) {
      fixture.chat.composers.setDraft(id, '');
      await open();
      await actions.askAboutSelection(which);
      assert.match(draft() ?? '', words);
    }
  });

  it('is a problem with the code around it, from the light bulb', async () => {
    const document = await open();
    await actions.askAboutProblem(document.uri, [problem('Unused.')]);
    assert.match(chips()[0]?.text ?? '', /2:5 error: Unused\. \(ts 7\)[\s\S]*let one = 1;[\s\S]*let three/);
    assert.match(draft() ?? '', /What causes this problem/);
    for (const forged of [undefined, [], ['x'], [{ message: 'x' }], 'x'])
      await actions.askAboutProblem(document.uri, forged);
    await actions.askAboutProblem('file:///etc/passwd', [problem('x')]);
    assert.equal(chips().length, 1);
  });

  it('is offered at the light bulb of a problem, and of nothing else', async () => {
    const document = await open();
    const offered = registerProblemQuickFix();
    try {
      diagnostics.set(document.uri, [problem('Unused.')]);
      const at = (line: number) =>
        vscode.commands.executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          document.uri,
          new vscode.Range(line, 4, line, 7),
        );
      const ours = (all: vscode.CodeAction[]) =>
        all.filter(({ command }) => command?.command === Command.askAboutProblem);
      assert.ok(ours(await at(1)).length > 0);
      assert.deepEqual(ours(await at(2)), []);
    } finally {
      offered.dispose();
    }
  });

  it('is offered of what is on screen: the selection, the file, its problems', async () => {
    const document = await open();
    diagnostics.set(document.uri, [problem('One.'), problem('Two.', 2)]);
    const selection = await take(/^Selection in /);
    const file = await take(/^Untitled/);
    const problems = await take(/^Problems in /);
    assert.ok(typeof selection === 'object' && typeof file === 'object' && typeof problems === 'object');
    assert.match(selection.text, /let two = 2;/);
    assert.match(file.text, /let one = 1;\nlet two = 2;\nlet three = one \+ two;/);
    assert.match(problems.text, /2:5 error: One\. \(ts 7\)\n3:5 error: Two\./);
  });

  it('is what was picked', async () => {
    await open();
    choose = ({ items }) => items?.find(({ label }) => label.startsWith('Selection in'));
    await actions.pick(id);
    assert.deepEqual(
      chips().map(({ kind }) => kind),
      ['selection'],
    );
    choose = () => undefined;
    await actions.pick(id);
    assert.equal(chips().length, 1);
  });
});
