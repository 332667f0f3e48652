import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerForks({ forks, panel }: Services) {
  return {
    commands: {
      forkConversation: async () => forks.fork(await panel.getCurrentConversationId()),
    },
    intents: {
      forkConversation: ({ conversationId, turnId, draft }, page) =>
        forks.fork(conversationId, { turnId, ...(draft !== undefined && { draft }) }, page),
    },
  } satisfies Feature;
}
