import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerMentions({ getMentionActions }: Services) {
  return {
    intents: {
      async *findMentions(search, page, signal) {
        yield* (await getMentionActions()).find(search, page, signal);
      },
      useMention: async ({ conversationId, mentionId, remainingCharacters }, page) =>
        (await getMentionActions()).use(conversationId, mentionId, remainingCharacters, page),
    },
  } satisfies Feature;
}
