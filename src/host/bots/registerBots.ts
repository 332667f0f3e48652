import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerBots({ twoBots }: Services) {
  return { commands: { askTwoBots: () => twoBots.ask() } } satisfies Feature;
}
