import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registerFeatures } from '../../../src/host/features';
import type { IntentHandlers } from '../../../src/host/panel/intentDispatcher';
import type { HostPage } from '../../../src/host/panel/page/hostPage';
import type { ToHost } from '../../../src/shared/protocol/toHost';
import { RecordedWindow } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';

/** IDs that don't exist and aren't paths. */
const ids = { conversationId: 'nowhere', turnId: 'none', chipId: 'none' };

/** All intents with an id or a path. */
const intents: readonly ToHost[] = [
  { type: 'send', text: 'Hi', ...unknownConversation() },
  { type: 'send', text: 'Hi', context: ['none'], overflow: 'split', ...unknownConversation() },
  {
    type: 'useMention',
    requestId: 'r',
    mentionId: 'none',
    remainingCharacters: 2000,
    ...unknownConversation(),
  },
  { type: 'removeContext', chipId: 'none', ...unknownConversation() },
  { type: 'setWebSearch', on: true, ...unknownConversation() },
  { type: 'stop', ...unknownConversation() },
  { type: 'retry', ...unknownTurn() },
  { type: 'cancelUpload', ...unknownTurn() },
  { type: 'draft', text: 'x', ...unknownConversation() },
  { type: 'openConversation', ...unknownConversation() },
  { type: 'listDocuments', ...unknownConversation() },
  { type: 'showWhole', ...unknownTurn() },
  { type: 'renameConversation', ...unknownConversation() },
  { type: 'changeBot', ...unknownConversation() },
  { type: 'forkConversation', requestId: 'r', ...unknownTurn() },
  { type: 'deleteConversations', conversationIds: [ids.conversationId] },
  { type: 'archiveConversations', conversationIds: [ids.conversationId], archived: true },
  { type: 'exportConversations', conversationIds: [ids.conversationId] },
  { type: 'pinConversation', pinned: true, ...unknownConversation() },
  { type: 'openTurn', ...unknownTurn() },
  { type: 'noticeAction', action: 'takeOver', ...unknownConversation() },
  { type: 'retryAsText', ...unknownTurn() },
  { type: 'removeDocument', ...unknownTurn() },
  { type: 'openDocument', ...unknownTurn() },
  { type: 'updateDocument', ...unknownTurn() },
  { type: 'updateOnSave', on: true, ...unknownTurn() },
  { type: 'includeDocument', on: false, ...unknownTurn() },
  { type: 'includeServiceDocument', documentId: 'none', on: false, ...unknownConversation() },
  { type: 'uploadChunk', requestId: 'r', uploadId: 'none', bytes: new Uint8Array(1) },
  { type: 'uploadEnd', uploadId: 'none' },
  { type: 'openSource', index: 0, ...unknownTurn() },
  { type: 'openFile', path: '../../etc/passwd', line: 1 },
  { type: 'reviewChange', path: '/etc/passwd', text: 'x' },
];

function unknownConversation() {
  return { conversationId: ids.conversationId };
}

function unknownTurn() {
  return { conversationId: ids.conversationId, turnId: ids.turnId };
}

describe('An intent with an unknown id or path', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let recorded: RecordedWindow;
  let handlers: IntentHandlers;
  let commands: string[];
  const { executeCommand } = vscode.commands;
  const page = {
    conversationId: ids.conversationId,
    postNotSent: () => undefined,
    postSent: () => assert.fail('sent'),
    revealTurn: () => assert.fail('revealed'),
    showConversation: () => assert.fail('shown'),
  } as unknown as HostPage;

  before(async () => {
    fixture = await startServices();
    handlers = registerFeatures(fixture.services).intents;
    // After the request that new services make by themselves.
    await fixture.services.bots.fetchBots();
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
      const handle = handlers[intent.type as keyof IntentHandlers] as (
        intent: ToHost,
        page: HostPage,
      ) => unknown;
      await handle(intent, page);
      // An id that isn't a valid file name is rejected before the look-up; the page logs that.
      const asPath = { ...intent, ...('conversationId' in intent && { conversationId: '../../nowhere' }) };
      await (async () => handle(asPath, page))().catch((error: unknown) => {
        assert.match(String(error), /Not an id that a file can be named after/);
      });
      assert.equal(fixture.service.requests.length, before);
      assert.deepEqual(fixture.services.chat.listConversations(), []);
      assert.deepEqual(
        commands.filter((command) => command !== 'setContext'),
        [],
      );
      const messages = recorded.texts.filter((text) => !text.endsWith('is not a file in this workspace.'));
      assert.deepEqual(messages, []);
    });
  }
});
