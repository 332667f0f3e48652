import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { intentHandlers } from '../../../src/host/intents';
import type { IntentHandlers, Page } from '../../../src/host/panel/page';
import type { ToHost } from '../../../src/shared/protocol';
import { RecordedWindow } from '../support/recordedWindow';
import { startServices, type TestServices } from '../support/testServices';

/** Names no conversation, turn, chip, upload or document, and is no path either. */
const ids = { conversationId: 'nowhere', turnId: 'none', chipId: 'none' };

/** Every intent that names something by an id. */
const intents: readonly ToHost[] = [
  { type: 'send', text: 'Hi', ...conversation() },
  { type: 'send', text: 'Hi', context: ['none'], overflow: 'split', ...conversation() },
  { type: 'removeContext', chipId: 'none', ...conversation() },
  { type: 'setWebSearch', on: true, ...conversation() },
  { type: 'stop', ...conversation() },
  { type: 'retry', ...turn() },
  { type: 'cancelUpload', ...turn() },
  { type: 'draft', text: 'x', ...conversation() },
  { type: 'openConversation', ...conversation() },
  { type: 'showWhole', ...turn() },
  { type: 'renameConversation', ...conversation() },
  { type: 'changeBot', ...conversation() },
  { type: 'deleteConversation', ...conversation() },
  { type: 'pinConversation', pinned: true, ...conversation() },
  { type: 'openTurn', ...turn() },
  { type: 'noticeAction', action: 'takeOver', ...conversation() },
  { type: 'retryAsText', ...turn() },
  { type: 'removeDocument', ...turn() },
  { type: 'openDocument', ...turn() },
  { type: 'updateDocument', ...turn() },
  { type: 'updateOnSave', on: true, ...turn() },
  { type: 'includeDocument', on: false, ...turn() },
  { type: 'includeServiceDocument', documentId: 'none', on: false, ...conversation() },
  { type: 'uploadChunk', uploadId: 'none', bytes: new Uint8Array(1) },
  { type: 'uploadEnd', uploadId: 'none' },
  { type: 'openSource', index: 0, ...turn() },
  { type: 'openFile', path: '../../etc/passwd', line: 1 },
  { type: 'reviewChange', path: '/etc/passwd', text: 'x' },
];

function conversation() {
  return { conversationId: ids.conversationId };
}

function turn() {
  return { conversationId: ids.conversationId, turnId: ids.turnId };
}

describe('An intent of a page that names what is not there', () => {
  let fixture: TestServices;
  let recorded: RecordedWindow;
  let handlers: IntentHandlers;
  let commands: string[];
  const { executeCommand } = vscode.commands;
  const page = {
    conversationId: ids.conversationId,
    uploadTaken: () => undefined,
    notSent: () => undefined,
    sent: () => assert.fail('sent'),
    revealTurn: () => assert.fail('revealed'),
    show: () => assert.fail('shown'),
  } as unknown as Page;

  before(async () => {
    fixture = await startServices();
    handlers = intentHandlers(fixture.services);
  });
  after(() => fixture.close());
  beforeEach(() => {
    recorded = new RecordedWindow();
    commands = [];
    Object.assign(vscode.commands, {
      executeCommand: async (command: string) => void commands.push(command),
    });
  });
  afterEach(() => {
    Object.assign(vscode.commands, { executeCommand });
    recorded.dispose();
  });

  for (const intent of intents) {
    it(`does nothing: ${JSON.stringify(intent)} [attack: page → host messages]`, async () => {
      const before = fixture.service.requests.length;
      const handle = handlers[intent.type as keyof IntentHandlers] as (intent: ToHost, page: Page) => unknown;
      await handle(intent, page);
      // An id that is no file's name is refused before anything is looked up; the page logs that.
      const asPath = { ...intent, ...('conversationId' in intent && { conversationId: '../../nowhere' }) };
      await (async () => handle(asPath, page))().catch((error: unknown) => {
        assert.match(String(error), /Not an id that a file can be named after/);
      });
      assert.equal(fixture.service.requests.length, before);
      assert.deepEqual(fixture.services.chat.list(), []);
      assert.deepEqual(
        commands.filter((command) => command !== 'setContext'),
        [],
      );
      const said = recorded.texts.filter((text) => !text.endsWith('is not a file of this workspace.'));
      assert.deepEqual(said, []);
    });
  }
});
