import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

/** What a workspace proposes in `.vscode/parley.json`. */
export function registerParleyJson({
  getServiceActions,
  getParleyJsonActions,
  panel,
  workspaceProposal,
}: Services) {
  return {
    commands: {
      createWorkspaceFile: async () => (await getParleyJsonActions()).create(),
    },
    intents: {
      connectProposed: async (_, page) => {
        const service = workspaceProposal.findService();
        if (service && !(await (await getServiceActions()).offer(service))) await panel.returnTo(page);
      },
      declineProposed: ({ forWorkspace }) => workspaceProposal.decline(forWorkspace),
    },
  } satisfies Feature;
}
