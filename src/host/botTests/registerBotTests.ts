import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerBotTests({ getBotTests }: Services) {
  return {
    commands: {
      compareBotTests: async () => (await getBotTests()).chooseComparison(),
      newBotTest: async () => (await getBotTests()).openExample(),
    },
  } satisfies Feature;
}
