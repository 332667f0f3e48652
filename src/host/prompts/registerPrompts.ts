import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';
import { PromptCodeActions } from './promptCodeActions';

export function registerPrompts({ panel, personalPromptsFolder, getPromptActions, onError }: Services) {
  return {
    commands: {
      askWithPrompt: async (promptId) => (await getPromptActions()).askWithPrompt(promptId),
      savePrompt: async () => (await getPromptActions()).save(await panel.getCurrentConversationId()),
      managePrompts: async () => (await getPromptActions()).manage(),
    },
    intents: {
      listPrompts: async () => (await getPromptActions()).listSummaries(),
      usePrompt: async ({ conversationId, promptId }, page) =>
        (await getPromptActions()).use(conversationId, promptId, page),
      savePrompt: async ({ conversationId, turnId }) =>
        (await getPromptActions()).save(conversationId, turnId),
      managePrompts: async () => (await getPromptActions()).manage(),
    },
    start: () =>
      new PromptCodeActions(
        async () => (await getPromptActions()).listForSelection(),
        personalPromptsFolder,
        onError,
      ).register(),
  } satisfies Feature;
}
