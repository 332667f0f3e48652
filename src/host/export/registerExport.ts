import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerExport({ documents, panel, getExportActions }: Services) {
  const current = () => panel.getCurrentConversationId();
  return {
    commands: {
      exportConversation: async () => (await getExportActions()).exportConversation(await current()),
      importConversation: async () => (await getExportActions()).importConversation(),
      openAsDocument: async () => documents.show(await current()),
      copyConversation: async () => (await getExportActions()).copy(await current()),
      copyLink: async () => (await getExportActions()).copyLink(await current()),
      copyLastReply: async () => (await getExportActions()).copyLastReply(await current()),
    },
    intents: {
      exportConversations: async ({ conversationIds }) =>
        (await getExportActions()).exportConversations(conversationIds),
    },
    start: () => documents.registerOutline(),
  } satisfies Feature;
}
