// biome-ignore-all lint/suspicious/noTemplateCurlyInString: prompts have variables in this syntax.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { demoBots } from '../../service/demo/demoBots';
import { type LocalService, startLocalService } from '../../service/localService';
import { cases } from '../../support/fuzz';
import { RecordedWindow } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';
import { writeUntil } from '../support/writeUntil';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
/** Not of Parley: says which version of the workspace's settings VS Code has read. */
const MARKER = 'parleyTest.version';

describe('The files of a workspace', () => {
  const startServices = useServices();
  let stranger: LocalService;
  let fixture: TestServices;
  let recorded: RecordedWindow;
  let version = 0;

  before(async () => {
    stranger = await startLocalService({ bots: demoBots, key: 'the-strange-key' });
  });
  after(() => stranger.close());
  beforeEach(async () => {
    fixture = await startServices();
    // The user dismisses whatever is asked.
    recorded = new RecordedWindow(() => recorded.quickPick?.hide());
  });
  afterEach(async () => {
    recorded.dispose();
    for (const name of ['.vscode', '.github'])
      await rm(path.join(root, name), { recursive: true, force: true });
    await until(() => vscode.workspace.getConfiguration().get(MARKER) === undefined);
    await fixture.close();
    stranger.clearRecords();
  });

  const write = async (name: string, text: string) => {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const readUserSettings = () =>
    ['parley.baseUrl', 'parley.services', 'parley.botId'].map(
      (name) => vscode.workspace.getConfiguration().inspect(name)?.globalValue,
    );
  /** Does what happens by itself when a window opens, and what the user does without agreeing to anything. */
  const useWindow = async ({ services }: TestServices) => {
    const { workspaceProposal, bots, setup, conversations, uploadFolders, panel } = services;
    // There is no page.
    const nothing = async () => undefined;
    Object.assign(panel, {
      openNew: nothing,
      showConversation: nothing,
      focus: nothing,
      adoptDefaultBot: nothing,
    });
    await workspaceProposal.whenRead();
    await services.chat.load();
    await setup.checkSetup();
    await Promise.all([
      bots.fetchBots(),
      uploadFolders.fetchFolders(),
      services.conversationMirror.restoreConversations(),
    ]);
    assert.notEqual(workspaceProposal.view?.host, '');
    await workspaceProposal.findBotForFile(vscode.Uri.file(path.join(root, 'notes.txt')));
    const prompts = await services.getPromptActions();
    await prompts.listPrompts();
    await prompts.listSummaries();
    await services.getAgentHost();
    await conversations.openNewWith();
    await (await services.getParleyJsonActions()).create();
    services.syncStatus.show(new Set([services.chat.createConversation(bots.getDefault()).id]));
    await (await services.getDocumentSync()).actions.sync();
    const controller = vscode.tests.createTestController('test.workspaceRequests', 'Tests');
    try {
      const tests = (await services.getBotTests()).attachController(controller);
      await tests.resolveItem(undefined);
      const { token } = new vscode.CancellationTokenSource();
      await tests.runTests('run', new vscode.TestRunRequest(), token);
    } finally {
      controller.dispose();
      services.syncStatus.show(new Set());
    }
    // What the panel’s buttons do, without the last one.
    const service = workspaceProposal.findService();
    if (service) await (await services.getServiceActions()).offer(service);
  };

  it('make no request but for lists of the user’s own service before the user agrees [attack: parley.json]', async () => {
    const { baseUrl } = stranger;
    const url = fc.oneof(
      fc.constantFrom(
        baseUrl,
        fixture.service.baseUrl,
        `${stranger.apiOrigin}/x/api/v1`,
        'https://a.example/api/v1',
      ),
      fc.webUrl(),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    );
    const text = fc.oneof(fc.constantFrom('guide', 'echo', '', 'a\u202eb'), fc.string({ maxLength: 20 }));
    const service = fc.record(
      { name: text, baseUrl: url, botId: text, apiKey: text },
      { requiredKeys: ['baseUrl'] },
    );
    const bot = fc.record({
      id: text,
      name: text,
      description: text,
      for: fc.array(fc.oneof(fc.constant('**'), text)),
    });
    const glob = fc.oneof(fc.constantFrom('**', '**/*.md', '!a.md', '../**'), text);
    const documents = fc.record(
      { files: fc.oneof(glob, fc.array(glob, { maxLength: 4 })), bot: text, folder: text },
      { requiredKeys: ['files'] },
    );
    const parleyJson = fc.oneof(
      fc.record(
        {
          service,
          bots: fc.array(fc.oneof(bot, fc.jsonValue()), { maxLength: 4 }),
          documents: fc.oneof(
            documents,
            fc.array(fc.oneof(documents, fc.jsonValue()), { maxLength: 4 }),
            fc.jsonValue(),
          ),
          send: text,
        },
        { requiredKeys: ['service'] },
      ),
      fc.jsonValue(),
    );
    const settings = fc.record(
      {
        'parley.baseUrl': url,
        'parley.services': fc.array(service, { maxLength: 3 }),
        'parley.botId': text,
        'parley.folderId': text,
        'parley.agents.ask': fc.constantFrom('never', 'always'),
        'parley.agents.dailyMessages': fc.nat(),
        'parley.prompts': fc.dictionary(fc.constantFrom('explain', 'findProblems', 'x'), text),
      },
      { requiredKeys: ['parley.services', 'parley.baseUrl'] },
    );
    const prompt = fc
      .tuple(text, text, fc.constantFrom('${file}', '${input:url}', '#parley', `![a](${baseUrl})`, ''))
      .map(([name, body, part]) => `---\nname: ${name}\nagent: parley\n---\n${body} ${part}`);
    const botTest = fc
      .tuple(text, fc.oneof(url, text), text, text)
      .map(
        ([botName, serviceName, question, phrase]) =>
          `---\nbot: ${botName}\nservice: ${serviceName}\n---\n# ${question}\n- all: ${phrase}\n`,
      );
    await fixture.services.bots.listBots();
    const before = readUserSettings();
    await fc.assert(
      fc.asyncProperty(
        parleyJson,
        settings,
        prompt,
        botTest,
        async (json, workspaceSettings, promptText, botTestText) => {
          fixture.service.clearRecords();
          await write('.vscode/parley.json', JSON.stringify(json));
          await write('.github/prompts/a.prompt.md', promptText);
          await write('.github/a.bot-test.md', botTestText);
          version++;
          const saved = JSON.stringify({ ...workspaceSettings, [MARKER]: version });
          await writeUntil(
            () => write('.vscode/settings.json', saved),
            () => vscode.workspace.getConfiguration().get(MARKER) === version,
          );
          const window = await startServices();
          try {
            await useWindow(window);
          } finally {
            // Closing clears the records.
            const own = fixture.service.requests.map(
              ({ method, path: requested }) => `${method} ${requested.split('?')[0]}`,
            );
            const strange = stranger.requests.map(({ method, path: requested }) => `${method} ${requested}`);
            await window.close();
            assert.deepEqual(strange, []);
            // Sync Documents… looks for the documents that another machine has synced.
            assert.deepEqual(
              [...new Set(own)].filter(
                (each) => !/^GET \S*\/(bots|folders|conversations|documents)$/.test(each),
              ),
              [],
            );
          }
          assert.deepEqual(readUserSettings(), before);
        },
      ),
      {
        ...cases(15),
        endOnFailure: true,
        examples: [
          [{ service: { baseUrl } }, { 'parley.baseUrl': '', 'parley.services': [] }, '', ''],
          [
            { documents: { files: '**/*.md' } },
            { 'parley.baseUrl': '', 'parley.services': [] },
            '',
            '# Say one\n- all: one\n',
          ],
        ],
      },
    );
    assert.ok(
      recorded.shown.some(({ buttons }) => buttons.includes('Connect')),
      'no workspace proposed a service',
    );
    assert.ok(
      recorded.shown.some(({ buttons }) => buttons.includes('Run Tests')),
      'no bot test was to be run',
    );
    assert.ok(
      recorded.texts.some((each) => each.startsWith('Sync')),
      'no document was to be synced',
    );
  });
});
