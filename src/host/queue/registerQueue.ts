import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerQueue({ getQueueActions, queueRunner }: Services) {
  return {
    intents: {
      sendQueued: async ({ conversationId, messageId }) =>
        (await getQueueActions()).sendNow(conversationId, messageId),
      editQueued: async ({ conversationId, messageId }) =>
        (await getQueueActions()).edit(conversationId, messageId),
      draftQueued: async ({ conversationId, messageId, text }) =>
        (await getQueueActions()).setDraft(conversationId, messageId, text),
      changeQueued: async ({ conversationId, messageId, text }) =>
        (await getQueueActions()).changeText(conversationId, messageId, text),
      removeQueued: async ({ conversationId, messageId }) =>
        (await getQueueActions()).remove(conversationId, messageId),
      moveQueued: async ({ conversationId, messageId, step }) =>
        (await getQueueActions()).move(conversationId, messageId, step),
      resumeQueue: ({ conversationId }) => queueRunner.resume(conversationId),
    },
  } satisfies Feature;
}
