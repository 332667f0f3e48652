import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerDiagrams({ getDiagramTabs }: Services) {
  return {
    intents: { openDiagram: async ({ text }) => (await getDiagramTabs()).openDiagram(text) },
  } satisfies Feature;
}
