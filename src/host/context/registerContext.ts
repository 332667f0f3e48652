import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';
import { registerProblemQuickFix } from './problemLightbulb';

export function registerContext({ chat, panel, getContextActions }: Services) {
  return {
    commands: {
      askAboutSelection: async () => (await getContextActions()).askAboutSelection(),
      explain: async () => (await getContextActions()).askAboutSelection('explain'),
      findProblems: async () => (await getContextActions()).askAboutSelection('findProblems'),
      writeTests: async () => (await getContextActions()).askAboutSelection('writeTests'),
      askAboutProblem: async (uri, problems) => (await getContextActions()).askAboutProblem(uri, problems),
    },
    intents: {
      addContext: async ({ conversationId }, page) => {
        await (await getContextActions()).pick(conversationId);
        await panel.returnTo(page);
      },
      removeContext: ({ conversationId, chipId }) => chat.composers.removeContext(conversationId, [chipId]),
    },
    start: registerProblemQuickFix,
  } satisfies Feature;
}
