import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerDiagrams({ diagramTabs }: Services) {
  return { intents: { openDiagram: ({ text }) => diagramTabs.open(text) } } satisfies Feature;
}
