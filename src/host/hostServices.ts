import * as vscode from 'vscode';
import { platform } from '#platform';
import { createLazily } from '../chat/base/lazy';
import { createChat } from '../chat/createChat';
import type { FolderChoice } from '../chat/documents/folderQuestions';
import type { EarlierAnswers } from '../chat/earlierAnswers/earlierAnswers';
import { Mirror } from '../chat/mirror/mirror';
import type { RequestInput } from '../shared/agents/agentRequests';
import type { AgentHost } from './agents/agentHost';
import { DisposableStore } from './base/disposables';
import { logError } from './base/log';
import { CONVERSATION_SCHEME } from './base/names';
import { ConversationActions } from './conversations/conversationActions';
import { createMessageSender } from './conversations/createMessageSender';
import { SyncStatus } from './documentSync/syncStatus';
import { ChangedFiles } from './documents/changedFiles';
import { SourceWatch } from './documents/sourceWatch';
import { ChangeReview } from './editor/changeReview';
import { CodeInsertion } from './editor/codeInsertion';
import { EditorFocus } from './editor/editorFocus';
import { ConversationDocuments } from './export/markdown/markdownDocuments';
import { ForkActions } from './forks/forkActions';
import { Panel } from './panel/panel';
import { WorkspaceProposal } from './parleyJson/workspaceProposal';
import { createMirrorStorage } from './platform/mirrorStorage';
import { openStore } from './platform/openStore';
import { getWorkspace } from './platform/workspacePlace';
import { ApiKeys } from './service/apiKeys';
import { Bots } from './service/bots';
import { createConnect } from './service/connection';
import { Quota } from './service/quota';
import { Reachability } from './service/reachability';
import { ServiceFetch } from './service/serviceFetch';
import { ServiceList } from './service/serviceList';
import { SetupGuide } from './service/setupGuide';
import { UploadFolders } from './service/uploadFolders';
import { CodeThemes } from './theme/codeThemes';

/**
 * All services of the extension, by name; consumers pick the ones they need. Those that a new window doesn't need are
 * loaded on the first call of their `get` function.
 */
export type Services = ReturnType<typeof createServices>;

export function createServices(context: vscode.ExtensionContext) {
  const log = vscode.window.createOutputChannel('Parley', { log: true });
  const onError = (error: unknown) => logError(log, error);
  const serviceList = new ServiceList(context.globalState);
  const keys = new ApiKeys(context.secrets);
  const quota = new Quota(context.globalState);
  const reachability = new Reachability();
  const serviceFetch = new ServiceFetch();
  const connect = createConnect(serviceList, keys, quota, reachability, log, serviceFetch);
  const bots = new Bots(context.globalState, connect, serviceList);
  const store = openStore(context.globalStorageUri, log);
  const uploadFolders = new UploadFolders(context.globalState, connect, serviceList);
  const getFolderPicker = createLazily(async () => {
    const { FolderPicker } = await import('./documents/lazyUploads');
    return new FolderPicker(uploadFolders, connect);
  });
  const folderChoice: FolderChoice = {
    getFolderId: (baseUrl) => uploadFolders.getInUse(baseUrl)?.id,
    chooseFolder: async (...refusal) => (await getFolderPicker()).chooseFolder(...refusal),
  };
  const mirror = new Mirror(createMirrorStorage(context.globalState), onError);
  const chats = createChat(store, connect, bots, folderChoice, mirror, getWorkspace);
  const { chat, uploads } = chats;

  const setup = new SetupGuide(keys, bots, log, serviceFetch);
  const codeThemes = new CodeThemes(log);
  const memory = context.workspaceState;
  const workspaceProposal = new WorkspaceProposal({ memory, serviceList, onError });
  const syncStatus = new SyncStatus(
    workspaceProposal,
    async () => (await getDocumentSync()).watcher,
    onError,
  );
  const forPages = {
    setup,
    workspaceProposal,
    syncStatus,
    serviceList,
    quota,
    uploadFolders,
    codeThemes,
    bots,
    memory,
    log,
  };
  const panel = new Panel(context.extensionUri, { ...chats, ...forPages });
  const getServiceActions = createLazily(async () => {
    const { ServiceActions } = await import('./setUp/serviceActions');
    return new ServiceActions({ serviceList, keys, bots, setup, panel });
  });
  const getParleyJsonActions = createLazily(async () => {
    const { ParleyJsonActions } = await import('./parleyJson/parleyJsonActions');
    return new ParleyJsonActions({ serviceList, bots });
  });
  const loaded = new DisposableStore();
  const getDocumentSync = createLazily(async () => {
    const { createDocumentSync } = await import('./documentSync/createDocumentSync');
    return loaded.add(
      createDocumentSync({
        ...{ ...chats, globalStorage: context.globalStorageUri, memory, connect, serviceList, bots, setup },
        ...{ panel, uploadFolders, workspaceProposal, getFolderPicker, status: syncStatus, onError },
        keepVersion: (uri, sha256) => sourceWatch.keepVersion(uri, sha256),
        openParleyJson: async () => (await getParleyJsonActions()).create(),
      }),
    );
  });
  // Before anything is sent to it: the first answer is to be made from the workspace's documents.
  chats.remote.setOnCreated(async (id, service, remoteId) => {
    const files = await workspaceProposal.readFiles();
    const conversation = chat.findConversation(id);
    if (!conversation || files.every(({ documents }) => documents.length === 0)) return;
    const { newFocus } = await getDocumentSync();
    // A message is sent without it, too.
    await newFocus.focus(conversation, service, remoteId).catch(onError);
  });
  chats.sourceFiles.setFindSyncedFile(async (baseUrl, documentId) => {
    const files = await workspaceProposal.readFiles();
    if (files.every(({ documents }) => documents.length === 0)) return undefined;
    return (await getDocumentSync()).findSyncedFile(baseUrl, documentId);
  });
  const forks = new ForkActions({ ...chats, setup, panel });
  const conversations = new ConversationActions({
    ...chats,
    setup,
    bots,
    panel,
    forks,
    workspaceProposal,
    log,
  });
  const getDocumentFiles = createLazily(async () => {
    const { DocumentFiles } = await import('./documents/lazyUploads');
    return new DocumentFiles(chat, uploads);
  });
  const changedFiles = new ChangedFiles(chat, getDocumentFiles, log);
  const getSourceChanges = createLazily(async () => {
    const { openSourceChanges } = await import('./lazySourceChanges');
    return loaded.add(openSourceChanges(chat, context.globalStorageUri, forPages, onError));
  });
  const sourceWatch = new SourceWatch(chat, getSourceChanges, onError);
  const getUploadActions = createLazily(async () => {
    const { UploadActions } = await import('./documents/lazyUploads');
    return new UploadActions({ chat, uploads, setup, panel });
  });
  const getIncomingFiles = createLazily(async () => {
    const { IncomingFiles } = await import('./documents/lazyUploads');
    return new IncomingFiles(await getUploadActions());
  });
  const getExportActions = createLazily(async () => {
    const { ExportActions } = await import('./export/exportActions');
    return new ExportActions({ chat, panel, forks });
  });
  const documents = new ConversationDocuments(chat, CONVERSATION_SCHEME);
  const review = new ChangeReview();
  const editorFocus = new EditorFocus();
  const codeInsertion = new CodeInsertion({ editorFocus, review });
  const messageSender = createMessageSender(chats);
  const getTwoBots = createLazily(async () => {
    const { TwoBots } = await import('./bots/twoBots');
    return new TwoBots({ chat, messageSender, conversations, bots, setup, panel });
  });
  const getReviewReplies = createLazily(async () => {
    const { ReviewMemory, ReviewReplies } = await import('./reviews/lazyReviews');
    return loaded.add(new ReviewReplies(chat, new ReviewMemory(memory)));
  });
  const getReviewActions = createLazily(async () => {
    const { ReviewActions } = await import('./reviews/lazyReviews');
    const reviewReplies = await getReviewReplies();
    const parts = { messageSender, conversations, bots, setup, panel, memory, reviewReplies };
    return new ReviewActions({ ...chats, connect, ...parts });
  });
  const getBotTests = createLazily(async () => {
    const { BotTests } = await import('./botTests/botTests');
    const { storageUri } = context;
    return loaded.add(new BotTests({ storageUri, bots, connect, setup, quota, conversations, onError }));
  });
  const getQueueActions = createLazily(async () => {
    const { QueueActions } = await import('./queue/queueActions');
    return new QueueActions(chats);
  });
  const getServiceDocumentActions = createLazily(async () => {
    const { ServiceDocumentActions } = await import('./documents/serviceDocumentActions');
    return new ServiceDocumentActions(chats);
  });
  const getLinks = createLazily(async () => {
    const { Links } = await import('./conversations/links');
    return new Links({ chat, panel, conversations, serviceList, getServiceActions });
  });
  const getDiagramTabs = createLazily(async () => {
    const { DiagramTabs } = await import('./diagrams/diagramTabs');
    return loaded.add(new DiagramTabs(context.extensionUri));
  });
  const getRecordingActions = createLazily(async () => {
    const { RecordingActions } = await import('./recording/recordingActions');
    return loaded.add(new RecordingActions({ keys, serviceFetch }));
  });
  const getContextActions = createLazily(async () => {
    const { ContextActions } = await import('./context/contextActions');
    return new ContextActions({
      ...{ chat, panel },
      proposeBot: (id, uri) => conversations.proposeBot(id, uri),
    });
  });
  const getMentionActions = createLazily(async () => {
    const { MentionActions } = await import('./mentions/mentionActions');
    return new MentionActions({ chat, panel, uploadActions: await getUploadActions() });
  });
  let earlierAnswers: Promise<EarlierAnswers> | undefined;
  const getEarlierAnswers = () => {
    earlierAnswers ??= import('../chat/earlierAnswers/earlierAnswers').then(
      (script) => new script.EarlierAnswers({ chat, store }),
    );
    return earlierAnswers;
  };
  /** Frees the memory of what was read to find them. */
  const forgetEarlierAnswers = () => {
    earlierAnswers?.then((answers) => answers.dispose(), onError);
    earlierAnswers = undefined;
  };
  const getEarlierAnswerOffers = createLazily(async () => {
    const { EarlierAnswerOffers } = await import('./earlierAnswers/earlierAnswerOffers');
    return new EarlierAnswerOffers({ chat, getEarlierAnswers });
  });
  const personalPromptsFolder = vscode.Uri.joinPath(context.globalStorageUri, 'prompts');
  const getPromptActions = createLazily(async () => {
    const { PersonalPrompts, PromptActions } = await import('./prompts/lazyPrompts');
    const personalPrompts = loaded.add(new PersonalPrompts(personalPromptsFolder, mirror, onError));
    return new PromptActions({ chat, panel, contextActions: await getContextActions(), personalPrompts });
  });
  const getParticipant = createLazily(async () => {
    const { Participant } = await import('./agents/lazyAgents');
    return new Participant({ ...chats, setup, bots });
  });
  const getTool = createLazily(async () => {
    const { AskBotTool, openAgentBudget } = await import('./agents/lazyAgents');
    const openBudget = async () => openAgentBudget(await getAgentHost(), context.globalState);
    return new AskBotTool({ ...chats, setup, bots, openBudget });
  });
  /** Undefined in a web worker, which has no sockets. */
  const getAgentHost = createLazily(async () => {
    const access = await platform.loadLocalAccess?.();
    if (!access) return;
    const { AgentHost } = await import('./agents/lazyAgents');
    const { fillAgentPrompt, toAgentPrompts } = await import('./prompts/lazyPrompts');
    const listPrompts = async () => (await getPromptActions()).listPrompts();
    const services = {
      ...{ ...chats, setup, bots, connect, getEarlierAnswers },
      uploadFile: async (id: string, uri: vscode.Uri, signal: AbortSignal) =>
        (await getUploadActions()).uploadForAgent(id, uri, signal),
      listBotNotes: () => workspaceProposal.listBotNotes(),
      listPrompts: async () => toAgentPrompts(await listPrompts()),
      getPrompt: async ({ name, arguments: values }: RequestInput<'get_prompt'>) =>
        fillAgentPrompt(await listPrompts(), name, values),
    };
    agentHost = new AgentHost(access, context, services, onError);
    return agentHost;
  });
  let agentHost: AgentHost | undefined;
  const getAgentConnector = createLazily(async () => {
    const { AgentConnector } = await import('./agents/lazyAgents');
    return loaded.add(new AgentConnector(getAgentHost));
  });
  chat.setBotNames((bot) => bots.withName(bot));
  const disposables = vscode.Disposable.from(
    ...[
      log,
      serviceList,
      quota,
      bots,
      uploadFolders,
      changedFiles,
      sourceWatch,
      setup,
      codeThemes,
      panel,
      workspaceProposal,
      syncStatus,
      documents,
      review,
      editorFocus,
      loaded,
    ],
    serviceList.onDidChange(() => void panel.leaveRemovedServices().catch(onError)),
    bots.onDidChange(() => chat.setBotNames((bot) => bots.withName(bot))),
    setup.onDidChange(({ step }) => {
      if (step !== 'done') return;
      bots.fetchBots().catch(onError);
      chats.conversationMirror.restoreConversations().catch(onError);
      uploadFolders.fetchFolders().catch(onError);
    }),
    chats.sources.onUsage(({ baseUrl, usage }) => {
      if (usage.credits !== undefined) quota.recordCredits(baseUrl, usage.credits);
    }),
    panel.onDidChangeShown((shown) => {
      chats.documentStatus.setVisible(shown);
      chats.focusSync.setVisible(shown);
      chats.messageSync.setVisible(shown);
      chats.lateReplies.setVisible(shown);
      changedFiles.show(shown);
      sourceWatch.show(shown);
      syncStatus.show(shown);
    }),
  );
  return {
    ...chats,
    log,
    onError,
    serviceList,
    quota,
    reachability,
    bots,
    uploadFolders,
    getFolderPicker,
    setup,
    getServiceActions,
    getParleyJsonActions,
    workspaceProposal,
    syncStatus,
    getDocumentSync,
    panel,
    forks,
    conversations,
    getDocumentFiles,
    getSourceChanges,
    sourceWatch,
    getUploadActions,
    getIncomingFiles,
    getExportActions,
    documents,
    getDiagramTabs,
    review,
    editorFocus,
    codeInsertion,
    getRecordingActions,
    messageSender,
    getTwoBots,
    memory,
    getReviewReplies,
    getReviewActions,
    getBotTests,
    getQueueActions,
    getServiceDocumentActions,
    getContextActions,
    getMentionActions,
    getEarlierAnswerOffers,
    forgetEarlierAnswers,
    personalPromptsFolder,
    getPromptActions,
    links: { handleUri: async (uri: vscode.Uri) => (await getLinks()).handleUri(uri) },
    getParticipant,
    getTool,
    getAgentHost,
    getAgentConnector,

    /** Stops all running work; resolves when everything is saved to disk. */
    async close(): Promise<void> {
      // A reply that ends because of this must not start the next queued message.
      chats.queueRunner.dispose();
      await Promise.allSettled([conversations.dispose(), chats.replies.dispose()]);
      // After the replies, so that agents get what there is of them.
      await agentHost?.close().catch(onError);
      forgetEarlierAnswers();
      await chats.close();
      await sourceWatch.close();
    },

    dispose: () => disposables.dispose(),
  };
}
