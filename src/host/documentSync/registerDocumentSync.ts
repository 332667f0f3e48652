import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerDocumentSync({ getDocumentSync }: Services) {
  return {
    commands: {
      syncDocuments: async () => (await getDocumentSync()).actions.sync(),
    },
    intents: {
      syncDocuments: async (_, page) => (await getDocumentSync()).actions.sync(page),
      postponeSync: async ({ conversationId }) => (await getDocumentSync()).watcher.postpone(conversationId),
    },
  } satisfies Feature;
}
