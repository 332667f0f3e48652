import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Command } from '../../../src/host/base/names';
import { ContextActions } from '../../../src/host/context/contextActions';
import { getContextItems } from '../../../src/host/context/contextItems';
import { registerProblemQuickFix } from '../../../src/host/context/problemLightbulb';
import type { Panel } from '../../../src/host/panel/panel';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { waitUntil } from '../../support/waitUntil';
import { openText } from '../support/openText';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { setSetting } from '../support/setSetting';
import { until } from '../support/until';

const TEXT = 'let one = 1;\nlet two = 2;\nlet three = one + two;\n';

describe('Context of a message', () => {
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
    actions = new ContextActions({
      ...{ chat: fixture.chat, panel: panel as unknown as Panel },
      proposeBot: async () => true,
    });
  });
  afterEach(async () => {
    recorded.dispose();
    diagnostics.dispose();
    await setSetting('parley.prompts', undefined);
    while (vscode.window.activeTextEditor) {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await fixture.close();
  });

  const open = async (selection = new vscode.Selection(1, 0, 2, 0)) => {
    const document = await openText(TEXT, 'js');
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = selection;
    await until(() => vscode.window.activeTextEditor === editor);
    return document;
  };
  const chips = () => fixture.chat.findConversation(id)?.composing?.context ?? [];
  const draft = () => fixture.chat.findConversation(id)?.draft;
  const problem = (message: string, line = 1) =>
    Object.assign(new vscode.Diagnostic(new vscode.Range(line, 4, line, 7), message), {
      source: 'ts',
      code: 7,
    });
  const resolve = async (label: RegExp) =>
    (await getContextItems()).find((item) => label.test(item.label))?.resolve();

  it('has the selection with its lines and language after Ask About Selection', async () => {
    await open();
    await actions.askAboutSelection();
    const [chip] = chips();
    assert.deepEqual([chips().length, chip?.kind], [1, 'selection']);
    assert.match(chip?.name ?? '', /:2$/);
    assert.match(chip?.text ?? '', /```javascript\nlet two = 2;\n```/);
    assert.deepEqual([draft(), focused], ['', 1]);
  });

  it('is empty if nothing is selected, with a message', async () => {
    await open(new vscode.Selection(0, 0, 0, 0));
    await actions.askAboutSelection();
    assert.deepEqual([chips(), recorded.texts], [[], ['Select some text in an editor first.']]);
  });

  for (const [which, words] of [
    ['explain', /^Explain this code/],
    ['findProblems', /problem|bug/i],
    ['writeTests', /^Write .*tests/i],
  ] as const) {
    it(`comes with the prompt ${which} after the existing draft`, async () => {
      await open();
      await actions.askAboutSelection(which);
      assert.match(draft() ?? '', words);
      fixture.chat.composers.setDraft(id, 'Please: ');
      await actions.askAboutSelection(which);
      assert.match(draft() ?? '', new RegExp(`^Please:\n\n.*${words.source.replace('^', '')}`, 'i'));
      assert.deepEqual(fixture.service.requests, []);
    });
  }

  it('comes with the prompt from the settings, or the default one if it is blank or not a string', async () => {
    const prompts = { explain: 'Say it simply.', findProblems: ' ', writeTests: 7 };
    await setSetting('parley.prompts', prompts);
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

  it('has the problem with the code around it after the quick fix', async () => {
    const document = await open();
    await actions.askAboutProblem(document.uri, [problem('Unused.')]);
    assert.match(chips()[0]?.text ?? '', /2:5 error: Unused\. \(ts 7\)[\s\S]*let one = 1;[\s\S]*let three/);
    assert.match(draft() ?? '', /What causes this problem/);
    for (const forged of [undefined, [], ['x'], [{ message: 'x' }], 'x'])
      await actions.askAboutProblem(document.uri, forged);
    await actions.askAboutProblem('file:///etc/passwd', [problem('x')]);
    assert.equal(chips().length, 1);
  });

  it('is offered as a quick fix at problems only', async () => {
    const document = await open();
    const registration = registerProblemQuickFix();
    try {
      diagnostics.set(document.uri, [problem('Unused.')]);
      const getActions = (line: number) =>
        vscode.commands.executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          document.uri,
          new vscode.Range(line, 4, line, 7),
        );
      const filterOwn = (actions: vscode.CodeAction[]) =>
        actions.filter(({ command }) => command?.command === Command.askAboutProblem);
      // VS Code cancels a request and answers with nothing if an extension registers code actions meanwhile.
      await waitUntil('an action at the problem', async () => filterOwn(await getActions(1)).length > 0);
      assert.deepEqual(filterOwn(await getActions(2)), []);
    } finally {
      registration.dispose();
    }
  });

  it('is offered from the visible editors: the selection, the file, its problems', async () => {
    const document = await open();
    diagnostics.set(document.uri, [problem('One.'), problem('Two.', 2)]);
    const selection = await resolve(/^Selection in /);
    const file = await resolve(/^text-\d/);
    const problems = await resolve(/^Problems in /);
    assert.ok(typeof selection === 'object' && typeof file === 'object' && typeof problems === 'object');
    assert.match(selection.text, /let two = 2;/);
    assert.match(file.text, /let one = 1;\nlet two = 2;\nlet three = one \+ two;/);
    assert.match(problems.text, /2:5 error: One\. \(ts 7\)\n3:5 error: Two\./);
  });

  it('has nothing that looks like a secret unless the user agrees [attack: secrets]', async () => {
    const document = await openText(TEXT, 'env');
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(1, 0, 2, 0);
    await until(() => vscode.window.activeTextEditor === editor);
    let answer: string | undefined;
    choose = ({ by, items }) =>
      by === 'Warning' ? answer : items.find(({ label }) => label.startsWith('Selection in'));
    const add = async () => {
      await actions.askAboutSelection('explain');
      await actions.askAboutProblem(document.uri, [problem('Unused.')]);
      await actions.pick(id);
      return chips().length;
    };
    assert.deepEqual([await add(), draft()], [0, '']);
    assert.equal(recorded.texts.filter((text) => /\.env looks like a secret/.test(text)).length, 3);
    answer = 'Add Anyway';
    assert.equal(await add(), 3);
  });

  it('adds the picked item as context', async () => {
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
