import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerBots({ getTwoBots }: Services) {
  return { commands: { askTwoBots: async () => (await getTwoBots()).ask() } } satisfies Feature;
}
