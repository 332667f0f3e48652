import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/chat/base/emitter';
import { HostPage } from '../../../../src/host/panel/page/hostPage';
import type { ToHost } from '../../../../src/shared/protocol/toHost';
import { forged } from '../../../support/forged';
import { cases } from '../../../support/fuzz';
import { FakeChat } from '../../support/fakeChat';

/** One intent of each type: a missing one is a compile error. */
const intents: { [K in ToHost['type']]: Extract<ToHost, { type: K }> } = {
  ready: { type: 'ready', width: 400 },
  focused: { type: 'focused', on: true },
  send: { type: 'send', conversationId: 'c', text: 'Hi', context: ['chip'], overflow: 'split', time: 'now' },
  listPrompts: { type: 'listPrompts', requestId: 'r' },
  usePrompt: { type: 'usePrompt', requestId: 'r', conversationId: 'c', promptId: 'p' },
  savePrompt: { type: 'savePrompt', conversationId: 'c', turnId: 't' },
  managePrompts: { type: 'managePrompts' },
  findEarlierAnswer: {
    type: 'findEarlierAnswer',
    subscriptionId: 's',
    conversationId: 'c',
    text: 'How do I do that?',
    isNewDraft: true,
  },
  readEarlierAnswer: { type: 'readEarlierAnswer', requestId: 'r', conversationId: 'c' },
  closeEarlierAnswer: { type: 'closeEarlierAnswer', conversationId: 'c' },
  findMentions: { type: 'findMentions', subscriptionId: 's', conversationId: 'c', listId: 'l', query: 'app' },
  useMention: {
    type: 'useMention',
    requestId: 'r',
    conversationId: 'c',
    mentionId: '1',
    remainingCharacters: 2000,
  },
  addContext: { type: 'addContext', conversationId: 'c' },
  removeContext: { type: 'removeContext', conversationId: 'c', chipId: 'chip' },
  setWebSearch: { type: 'setWebSearch', conversationId: 'c', on: true },
  setOverflow: { type: 'setOverflow', overflow: 'document' },
  sendQueued: { type: 'sendQueued', conversationId: 'c', messageId: 'm' },
  editQueued: { type: 'editQueued', conversationId: 'c', messageId: 'm' },
  draftQueued: { type: 'draftQueued', conversationId: 'c', messageId: 'm', text: 'Hi' },
  changeQueued: { type: 'changeQueued', conversationId: 'c', messageId: 'm', text: 'Hi' },
  removeQueued: { type: 'removeQueued', conversationId: 'c', messageId: 'm' },
  moveQueued: { type: 'moveQueued', conversationId: 'c', messageId: 'm', step: -1 },
  resumeQueue: { type: 'resumeQueue', conversationId: 'c' },
  stop: { type: 'stop', conversationId: 'c' },
  retry: { type: 'retry', conversationId: 'c', turnId: 't' },
  cancelUpload: { type: 'cancelUpload', conversationId: 'c', turnId: 't' },
  draft: { type: 'draft', conversationId: 'c', text: 'Hi' },
  openConversation: { type: 'openConversation', conversationId: 'c' },
  listService: { type: 'listService', requestId: 'r', keyword: 'moss' },
  openFromService: { type: 'openFromService', remoteId: '7' },
  listDocuments: { type: 'listDocuments', conversationId: 'c' },
  showWhole: { type: 'showWhole', conversationId: 'c', turnId: 't' },
  renameConversation: { type: 'renameConversation', conversationId: 'c' },
  changeBot: { type: 'changeBot', conversationId: 'c' },
  forkConversation: {
    ...{ type: 'forkConversation', requestId: 'r', conversationId: 'c', turnId: 't' },
    draft: 'Hi',
  },
  deleteConversations: { type: 'deleteConversations', conversationIds: ['c'] },
  archiveConversations: { type: 'archiveConversations', conversationIds: ['c'], archived: true },
  exportConversations: { type: 'exportConversations', conversationIds: ['c'] },
  pinConversation: { type: 'pinConversation', conversationId: 'c', pinned: true },
  search: { type: 'search', subscriptionId: 's', query: 'moss' },
  unsubscribe: { type: 'unsubscribe', subscriptionId: 's' },
  openTurn: { type: 'openTurn', conversationId: 'c', turnId: 't' },
  noticeAction: { type: 'noticeAction', conversationId: 'c', action: 'takeOver' },
  attach: { type: 'attach', conversationId: 'c' },
  retryAsText: { type: 'retryAsText', conversationId: 'c', turnId: 't' },
  removeDocument: { type: 'removeDocument', conversationId: 'c', turnId: 't' },
  openDocument: { type: 'openDocument', conversationId: 'c', turnId: 't' },
  openServiceDocument: { type: 'openServiceDocument', conversationId: 'c', documentId: 'd' },
  removeServiceDocument: { type: 'removeServiceDocument', conversationId: 'c', documentId: 'd' },
  updateDocument: { type: 'updateDocument', conversationId: 'c', turnId: 't' },
  updateOnSave: { type: 'updateOnSave', conversationId: 'c', turnId: 't', on: true },
  includeDocument: { type: 'includeDocument', conversationId: 'c', turnId: 't', on: false },
  includeServiceDocument: {
    ...{ type: 'includeServiceDocument', conversationId: 'c', documentId: 'd' },
    on: false,
  },
  dropUris: { type: 'dropUris', conversationId: 'c', uris: ['file:///a'] },
  uploadBegin: {
    ...{ type: 'uploadBegin', requestId: 'r', conversationId: 'c', uploadId: 'u', folders: false },
    files: [{ name: 'a.txt', size: 1 }],
  },
  uploadChunk: { type: 'uploadChunk', requestId: 'r', uploadId: 'u', bytes: new Uint8Array(1) },
  uploadEnd: { type: 'uploadEnd', uploadId: 'u' },
  showSourceChanges: { type: 'showSourceChanges', conversationId: 'c', turnId: 't', index: 0 },
  updateSource: { type: 'updateSource', conversationId: 'c', turnId: 't', index: 0 },
  syncDocuments: { type: 'syncDocuments', conversationId: 'c' },
  postponeSync: { type: 'postponeSync', conversationId: 'c' },
  chooseUploadFolder: { type: 'chooseUploadFolder' },
  setBaseUrl: { type: 'setBaseUrl' },
  manageServices: { type: 'manageServices' },
  setApiKey: { type: 'setApiKey' },
  chooseBot: { type: 'chooseBot' },
  connectProposed: { type: 'connectProposed' },
  declineProposed: { type: 'declineProposed', forWorkspace: true },
  showLog: { type: 'showLog' },
  openLink: { type: 'openLink', href: 'https://example.com' },
  openSource: { type: 'openSource', conversationId: 'c', turnId: 't', index: 0 },
  copy: { type: 'copy', text: 'x' },
  insertAtCursor: { type: 'insertAtCursor', text: 'x' },
  replaceSelection: { type: 'replaceSelection', text: 'x' },
  runInTerminal: { type: 'runInTerminal', text: 'ls' },
  reviewChange: { type: 'reviewChange', path: 'a.ts', text: 'x', lines: [1, 2] },
  checkPaths: { type: 'checkPaths', requestId: 'r', paths: ['a.ts'] },
  openFile: { type: 'openFile', path: 'a.ts', line: 1 },
  openDiagram: { type: 'openDiagram', text: 'x' },
  newFile: { type: 'newFile', text: 'x', language: 'ts' },
};

describe('Forged messages of a page [attack: page → host messages]', () => {
  let page: HostPage;
  let say: (message: unknown) => void;
  let done: string[];
  let warned: string[];

  beforeEach(() => {
    done = [];
    warned = [];
    const received = new vscode.EventEmitter<unknown>();
    say = (message) => received.fire(message);
    const silent = { current: undefined, onDidChange: new Emitter<unknown>().on, sent: () => 0 };
    const log = {
      warn: (text: string) => warned.push(text),
      error: (text: string) => done.push(text),
    };
    const webview = {
      onDidReceiveMessage: received.event,
      postMessage: (message: { type: string }) => done.push(`posted ${message.type}`),
    };
    const services = {
      chat: new FakeChat(),
      setup: silent,
      serviceList: silent,
      quota: silent,
      uploadFolders: silent,
      codeThemes: silent,
      workspaceProposal: silent,
      syncStatus: silent,
      log,
    };
    page = new HostPage(
      { webview: webview as unknown as vscode.Webview, visible: false },
      services as unknown as ConstructorParameters<typeof HostPage>[1],
      'c',
      ({ type }) => done.push(type),
    );
  });
  afterEach(() => page.dispose());

  it('are handled if they are valid intents', () => {
    for (const intent of Object.values(intents)) if (intent.type !== 'ready') say(intent);
    assert.deepEqual(
      [...done].sort(),
      Object.keys(intents)
        .filter((type) => type !== 'ready')
        .sort(),
    );
    assert.deepEqual(warned, []);
  });

  it('forged messages are ignored and logged', () => {
    fc.assert(
      fc.property(forged(Object.values(intents)), (message) => {
        warned.length = 0;
        say(message);
        assert.deepEqual(done, []);
        assert.deepEqual(warned, ['Ignored an invalid message from the page']);
      }),
      cases(2000),
    );
  });
});
