import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerExport({ documents, panel, getExportActions }: Services) {
  const current = () => panel.getCurrentConversationId();
  return {
    commands: {
      exportConversation: async () => (await getExportActions()).exportConversation(await current()),
      importConversation: async () => (await getExportActions()).importConversation(),
      openAsDocument: async () => documents.showMarkdown(await current()),
      copyConversation: async () => (await getExportActions()).copy(await current()),
      copyLink: async () => (await getExportActions()).copyLink(await current()),
      copyMessageLink: async (menu) =>
        (await getExportActions()).copyMessageLink(await current(), getTurnId(menu)),
      copyLastReply: async () => (await getExportActions()).copyLastReply(await current()),
    },
    intents: {
      exportConversations: async ({ conversationIds }) =>
        (await getExportActions()).exportConversations(conversationIds),
    },
    start: () => documents.registerOutline(),
  } satisfies Feature;
}

/** Returns the turn that a context menu was opened on; undefined for the palette. */
function getTurnId(menu: unknown): string | undefined {
  const { turnId } = (menu ?? {}) as { turnId?: unknown };
  return typeof turnId === 'string' ? turnId : undefined;
}
