import * as vscode from 'vscode';
import type { ToHost } from '../../shared/protocol/toHost';
import { showError } from '../base/dialogs';
import { getErrorMessage } from '../base/localizedText';
import { setOverflow } from '../base/settings';
import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';
import type { HostPage } from '../panel/page/hostPage';
import { showQueueNotSaved } from '../queue/queueNotSaved';

const { t } = vscode.l10n;

/** What applies to whole conversations and the composer. Commands apply to the conversation shown last. */
export function registerConversations(services: Services) {
  const { chat, conversations, getDocumentFiles, panel } = services;
  const current = () => panel.getCurrentConversationId();
  return {
    commands: {
      newConversation: () => conversations.openNew(),
      newConversationWith: () => conversations.openNewWith(),
      openConversation: (id) => conversations.pick(id),
      renameConversation: async () => conversations.rename(await current()),
      changeBot: async () => conversations.changeBot(await current()),
      deleteConversation: async () => conversations.delete(await current()),
      stop: async () => conversations.stop(await current()),
    },
    intents: {
      send: (intent, page) => send(services, intent, page),
      stop: ({ conversationId }) => conversations.stop(conversationId),
      retry: async ({ conversationId, turnId }) => {
        if (!(await (await getDocumentFiles()).retryOrphaned(conversationId, turnId))) {
          await conversations.retry(conversationId, turnId);
        }
      },
      draft: ({ conversationId, text }, page) => chat.composers.setDraft(conversationId, text, page),
      setWebSearch: ({ conversationId, on }) => chat.composers.setState(conversationId, { webSearch: on }),
      setOverflow: ({ overflow }) => setOverflow(overflow),
      listService: ({ keyword }) => conversations.listFromServices(keyword),
      openFromService: ({ remoteId, baseUrl }, page) =>
        conversations.openFromService(remoteId, baseUrl, (id) => panel.showInPage(page, id)),
      showWhole: ({ conversationId, turnId }) => conversations.showWhole(conversationId, turnId),
      renameConversation: async ({ conversationId }, page) => {
        if (await conversations.rename(conversationId)) await panel.returnTo(page);
      },
      changeBot: async ({ conversationId }, page) => {
        if (await conversations.changeBot(conversationId)) await panel.returnTo(page);
      },
      deleteConversations: ({ conversationIds }, page) => conversations.deleteFor(page, conversationIds),
      archiveConversations: ({ conversationIds, archived }) =>
        conversations.archive(conversationIds, archived),
      pinConversation: ({ conversationId, pinned }) => conversations.pin(conversationId, pinned),
      async *search({ query }, _, signal) {
        const { searchMessages } = await import('./searchMessages');
        yield* searchMessages(chat.scan(signal, query), query, signal);
      },
      noticeAction: ({ conversationId, action }, page) =>
        action === 'continueHere'
          ? panel.continueWith(page)
          : action === 'addService'
            ? addService(services, page)
            : conversations.actOnNotice(conversationId, action),
    },
  } satisfies Feature;
}

async function send(
  { chat, setup, messageSender }: Services,
  { conversationId, text, context: chips = [], overflow, time }: Extract<ToHost, { type: 'send' }>,
  page: HostPage,
): Promise<void> {
  const sendOnceSetUp = async () => {
    const { step } = await setup.checkSetup(chat.findConversation(conversationId));
    const outgoing = { text, context: chips, page, ...(overflow && { overflow }), ...(time && { time }) };
    return step === 'done' ? messageSender.send(conversationId, outgoing) : undefined;
  };
  const result = await sendOnceSetUp().catch((error: unknown) => {
    chat.reportError(error);
    void showError(t('Couldn’t send the message. {0}', getErrorMessage(error)));
  });
  if (result === 'unsaved') showQueueNotSaved();
  // The page may show another conversation's composer by now.
  if (page.conversationId !== conversationId) return;
  if (result === 'sent' || result === 'queued') page.postSent(text, result === 'queued');
  else page.postNotSent();
}

/** Adds the removed service of a page's conversation again. */
async function addService({ chat, getServiceActions, panel }: Services, page: HostPage): Promise<void> {
  await (await getServiceActions()).addServiceOf(chat.findConversation(page.conversationId));
  await panel.returnTo(page);
}
