// biome-ignore-all lint/suspicious/noTemplateCurlyInString: prompts have variables in this syntax.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Mirror } from '../../../src/chat/mirror/mirror';
import { ContextActions } from '../../../src/host/context/contextActions';
import type { HostPage } from '../../../src/host/panel/page/hostPage';
import type { Panel } from '../../../src/host/panel/panel';
import { PersonalPrompts } from '../../../src/host/prompts/personalPrompts';
import { PromptActions } from '../../../src/host/prompts/promptActions';
import { readWorkspacePrompts } from '../../../src/host/prompts/workspacePrompts';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { createMirror } from '../../chat/support/memoryMirror';
import { closeEditors } from '../support/closeEditors';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { until } from '../support/until';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const github = path.join(root, '.github');
const folder = path.join(github, 'prompts');

describe('Prompts', () => {
  let fixture: ChatFixture;
  let storage: string;
  let recorded: RecordedWindow;
  let choose: (shown: Shown) => unknown;
  let mirror: Mirror;
  let personalPrompts: PersonalPrompts;
  let actions: PromptActions;
  let id: string;
  let focused: number;
  let returned: number;

  beforeEach(async () => {
    fixture = await startChat();
    id = fixture.newConversation().id;
    focused = 0;
    returned = 0;
    choose = () => undefined;
    recorded = new RecordedWindow((shown) => choose(shown));
    storage = await mkdtemp(path.join(os.tmpdir(), 'parley-prompts-'));
    mirror = createMirror();
    personalPrompts = new PersonalPrompts(
      vscode.Uri.file(path.join(storage, 'prompts')),
      mirror,
      assert.ifError,
    );
    const panel = {
      getCurrentConversationId: async () => id,
      focus: async () => void focused++,
      returnTo: async () => void returned++,
    } as unknown as Panel;
    const { chat } = fixture;
    actions = new PromptActions({
      ...{ chat, panel, personalPrompts },
      contextActions: new ContextActions({ chat, panel, proposeBot: async () => true }),
    });
    await mkdir(folder, { recursive: true });
  });
  afterEach(async () => {
    recorded.dispose();
    personalPrompts.dispose();
    await mirror.dispose();
    await closeEditors();
    await rm(github, { recursive: true, force: true });
    await rm(storage, { recursive: true, force: true });
    await fixture.close();
  });

  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  const draft = () => fixture.chat.findConversation(id)?.draft;
  const select = async (
    selection = new vscode.Selection(1, 0, 1, 5),
    file = path.join(root, 'src/app.ts'),
  ) => {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    editor.selection = selection;
    await until(() => vscode.window.activeTextEditor === editor);
    return editor.document.getText(selection);
  };

  describe('of a workspace', () => {
    it('are its prompt files, with front matter as VS Code’s Chat has it', async () => {
      await write(
        'b.prompt.md',
        "---\nagent: agent\nname: form\ndescription: 'Creates a form'\n---\nCreate it.",
      );
      await write('a.prompt.md', 'Review it.');
      await write('notes.md', 'None');
      await mkdir(path.join(folder, 'c.prompt.md'));
      assert.deepEqual(
        (await readWorkspacePrompts()).map(({ id: promptId, name, description, body }) => [
          ...[promptId, name, description, body],
        ]),
        [
          ['workspace/0/a.prompt.md', 'a', undefined, 'Review it.'],
          ['workspace/0/b.prompt.md', 'form', 'Creates a form', 'Create it.'],
        ],
      );
    });

    it('are not read without trust [attack: prompt file]', async () => {
      await write('a.prompt.md', 'A');
      assert.deepEqual(await readWorkspacePrompts(false), []);
    });

    it('are bounded in size and number [attack: prompt file]', async () => {
      await write('0.prompt.md', 'x'.repeat(64 * 1024 + 1));
      for (let index = 100; index < 250; index++) await write(`${index}.prompt.md`, 'A');
      const prompts = await readWorkspacePrompts();
      assert.deepEqual([prompts.length, prompts[0]?.name], [99, '100']);
    });

    it('are not read through a link that leads out of the workspace [attack: prompt file]', async () => {
      const outside = path.join(storage, 'outside.prompt.md');
      await writeFile(outside, 'Secret');
      await write('a.prompt.md', 'A');
      await symlink(outside, path.join(folder, 'b.prompt.md'));
      await symlink(path.join(folder, 'a.prompt.md'), path.join(folder, 'c.prompt.md'));
      assert.deepEqual(
        (await readWorkspacePrompts()).map(({ name }) => name),
        ['a', 'c'],
      );
      await rm(folder, { recursive: true });
      await symlink(storage, folder);
      assert.deepEqual(await readWorkspacePrompts(), []);
    });
  });

  describe('of the user', () => {
    it('are saved from a message, under the name that the user enters', async () => {
      fixture.chat.composers.setDraft(id, 'Explain ${input:what} to me.\nIn short.');
      choose = ({ by }) => (by === 'InputBox' ? ' What is it? ' : undefined);
      await actions.save(id);
      assert.deepEqual(
        (await personalPrompts.listPrompts()).map(({ name, body }) => [name, body]),
        [['What is it?', 'Explain ${input:what} to me.\nIn short.']],
      );
      const files = await readdir(path.join(storage, 'prompts'));
      assert.deepEqual(
        files.filter((name) => name.endsWith('.md')),
        ['What is it.prompt.md'],
      );
    });

    it('are not saved without a message or from one that is too long', async () => {
      await actions.save(id);
      await actions.save(id, 'unknown');
      assert.deepEqual(recorded.texts, Array(2).fill('Write or send a message first.'));
      fixture.chat.composers.setDraft(id, 'ä'.repeat(40_000));
      choose = ({ by }) => (by === 'InputBox' ? 'a' : undefined);
      await actions.save(id);
      assert.equal(recorded.texts.at(-1), 'The message is too long for a prompt.');
      assert.deepEqual(await personalPrompts.listPrompts(), []);
    });

    it('are kept when two windows save one with the same name at the same time', async () => {
      const other = new PersonalPrompts(
        vscode.Uri.file(path.join(storage, 'prompts')),
        mirror,
        assert.ifError,
      );
      const saved = await Promise.all([
        personalPrompts.add('a', 'One'),
        other.add('a', 'Two'),
        other.add('A/', '3'),
      ]);
      assert.equal(new Set(saved.map((prompt) => prompt?.id)).size, 3);
      assert.deepEqual((await personalPrompts.listPrompts()).map(({ body }) => body).sort(), [
        '3',
        'One',
        'Two',
      ]);
    });

    it('are deleted after confirmation, unless they have changed in another window', async () => {
      const file = (await personalPrompts.add('a', 'One'))?.uri?.fsPath ?? '';
      choose = ({ by, items }) =>
        by === 'Warning' ? 'Delete' : (items.find(({ label }) => label === 'Delete') ?? items[0]);
      const deleteNow = choose;
      choose = (shown) => {
        if (shown.by === 'Warning') return writeFile(file, 'Two').then(() => 'Delete');
        return deleteNow(shown);
      };
      await actions.manage();
      assert.equal(await readFile(file, 'utf8'), 'Two');
      assert.match(recorded.texts.at(-1) ?? '', /changed in the meantime/);
      choose = deleteNow;
      await actions.manage();
      assert.deepEqual(await personalPrompts.listPrompts(), []);
    });

    it('open in an editor', async () => {
      await personalPrompts.add('a', 'One');
      choose = ({ items }) => items[0];
      await actions.manage();
      assert.match(
        vscode.window.activeTextEditor?.document.getText() ?? '',
        /^---\nname: "a"\n---\n\nOne\n$/,
      );
    });
  });

  describe('in a message', () => {
    const use = async (name: string) => {
      const prompt = (await actions.listSummaries()).find((summary) => summary.name === name);
      return actions.use(id, prompt?.id ?? '', {} as HostPage);
    };

    it('come from the user, the workspace and Parley, in this order', async () => {
      await write('b.prompt.md', '---\nargument-hint: which?\n---\nB');
      await personalPrompts.add('z', 'Z');
      const summaries = await actions.listSummaries();
      assert.deepEqual(
        summaries.map(({ name, source }) => [name, source]),
        [
          ['z', 'personal'],
          ['b', 'workspace'],
          ...['Explain', 'Find Problems', 'Write Tests'].map((name) => [name, 'builtIn']),
        ],
      );
      assert.equal(summaries[1]?.description, 'which?');
    });

    it('have the file and the selection of the editor, and inputs with hints', async () => {
      await write('a.prompt.md', '${fileBasename} in ${fileDirname}, ${file}: ${selection} ${input:b:Why?}');
      const selected = await select();
      assert.ok(selected.length > 0);
      const parts = await use('a');
      assert.equal(
        parts.map(({ text, input }) => (input === undefined ? text : `<${input} ${text}>`)).join(''),
        `app.ts in src, src/app.ts: ${selected} <b Why?>`,
      );
    });

    it('say what they need if there is no selection or no file', async () => {
      await write('a.prompt.md', '${selection}');
      await write('b.prompt.md', '${fileBasename}');
      assert.deepEqual([await use('b'), await use('gone')], [[], []]);
      await select(new vscode.Selection(0, 0, 0, 0));
      assert.deepEqual(await use('a'), []);
      assert.deepEqual(recorded.texts, [
        'Open a file in an editor first.',
        'This prompt no longer exists.',
        'Select some text in an editor first.',
      ]);
    });

    it('have no selection that looks like a secret, or is from outside the workspace, unless the user agrees [attack: secrets]', async () => {
      await write('a.prompt.md', 'Look: ${selection}');
      for (const file of [path.join(folder, 'a.env'), path.join(storage, 'a.txt')]) {
        await writeFile(file, 'one\nhello\n');
        await select(undefined, file);
        choose = () => undefined;
        assert.deepEqual([await use('a'), await use('Explain')], [[], []]);
        assert.equal(fixture.chat.findConversation(id)?.composing?.context, undefined);
        assert.ok(recorded.texts.some((text) => text.includes(path.basename(file))));
      }
      assert.deepEqual([recorded.shown.length, returned], [4, 4]);
      choose = ({ buttons }) => buttons.find((button) => button === 'Add');
      assert.deepEqual(await use('a'), [{ text: 'Look: ' }, { text: 'hello' }]);
      await use('Explain');
      assert.equal(fixture.chat.findConversation(id)?.composing?.context?.length, 1);
      assert.equal(draft(), '');
    });

    it('have the selection as a chip if they come with Parley', async () => {
      const chips = () => fixture.chat.findConversation(id)?.composing?.context ?? [];
      assert.match((await use('Explain'))[0]?.text ?? '', /^Explain this code/);
      assert.equal(chips().length, 0);
      await select();
      await use('Explain');
      assert.deepEqual(
        chips().map(({ name }) => name),
        ['app.ts:2'],
      );
    });
  });

  describe('about the selection', () => {
    it('are those that take one, after the existing draft', async () => {
      await write('a.prompt.md', 'Review ${input:what:A noun} of ${selection}');
      await write('b.prompt.md', 'Hello');
      fixture.chat.composers.setDraft(id, 'Please');
      const selected = await select();
      choose = ({ by, items }) => (by === 'InputBox' ? '${file}' : items.find(({ label }) => label === 'a'));
      await actions.askWithPrompt();
      assert.deepEqual(
        recorded.shown[0]?.items.map(({ label }) => label),
        ['a', 'Explain', 'Find Problems', 'Write Tests'],
      );
      assert.deepEqual(recorded.shown[1]?.texts.slice(0, 3), ['a', 'what', 'A noun']);
      assert.equal(draft(), `Please\n\nReview \${file} of ${selected}`);
      assert.equal(focused, 1);
    });

    it('are used without a list if the lightbulb names one, and listed if it’s gone', async () => {
      await write('a.prompt.md', 'Review ${selection}');
      const selected = await select();
      await actions.askWithPrompt('workspace/0/a.prompt.md');
      assert.deepEqual([draft(), recorded.shown.length], [`Review ${selected}`, 0]);
      for (const gone of ['workspace/0/b.prompt.md', vscode.Uri.file('/a'), { id: 'a' }])
        await actions.askWithPrompt(gone);
      assert.equal(recorded.shown.length, 3);
    });

    it('take no selection that looks like a secret unless the user agrees [attack: secrets]', async () => {
      await write('a.prompt.md', 'Review ${selection}');
      const file = path.join(folder, 'a.env');
      await writeFile(file, 'one\nhello\n');
      await select(undefined, file);
      for (const name of ['a', 'Explain']) {
        choose = ({ items }) => items.find(({ label }) => label === name);
        await actions.askWithPrompt();
      }
      assert.deepEqual(
        [draft(), fixture.chat.findConversation(id)?.composing?.context, focused],
        ['', undefined, 0],
      );
      choose = ({ by, items }) =>
        by === 'Warning' ? 'Add Anyway' : items.find(({ label }) => label === 'a');
      await actions.askWithPrompt();
      assert.equal(draft(), 'Review hello');
    });

    it('a prompt can be canceled at each question', async () => {
      await write('a.prompt.md', '${input:what} of ${selection}');
      await actions.askWithPrompt();
      await select();
      await actions.askWithPrompt();
      choose = ({ items }) => items[0];
      await actions.askWithPrompt();
      assert.deepEqual([draft(), focused], ['', 0]);
      assert.equal(recorded.texts[0], 'Select some text in an editor first.');
    });

    it('are the commands Explain, Find Problems and Write Tests as well', async () => {
      await select();
      choose = ({ items }) => items.find(({ label }) => label === 'Write Tests');
      await actions.askWithPrompt();
      assert.match(draft() ?? '', /^Write .*tests/i);
      assert.equal(fixture.chat.findConversation(id)?.composing?.context.length, 1);
    });
  });
});
