import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerQueue({ queue }: Services) {
  return {
    intents: {
      sendQueued: ({ conversationId, messageId }) => queue.sendNow(conversationId, messageId),
      editQueued: ({ conversationId, messageId }) => queue.edit(conversationId, messageId),
      draftQueued: ({ conversationId, messageId, text }) => queue.setDraft(conversationId, messageId, text),
      changeQueued: ({ conversationId, messageId, text }) =>
        queue.changeText(conversationId, messageId, text),
      removeQueued: ({ conversationId, messageId }) => queue.remove(conversationId, messageId),
      moveQueued: ({ conversationId, messageId, step }) => queue.move(conversationId, messageId, step),
      resumeQueue: ({ conversationId }) => queue.resume(conversationId),
    },
  } satisfies Feature;
}
