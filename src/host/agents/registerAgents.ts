import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerAgents({ getAgentConnector }: Services) {
  return {
    commands: { connectAgent: async () => (await getAgentConnector()).connect() },
  } satisfies Feature;
}
