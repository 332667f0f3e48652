import { findBaseUrl } from '../../chat/model/conversation';
import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

/** The services that are set up, and their keys. */
export function registerSetUp({ chat, getServiceActions, setup, panel }: Services) {
  return {
    commands: {
      setApiKey: async () => (await getServiceActions()).setApiKey(),
      clearApiKey: async () => (await getServiceActions()).clearApiKey(),
      addService: async () => (await getServiceActions()).add(),
      manageServices: async () => (await getServiceActions()).manage(),
      copySetUpLink: async () => (await getServiceActions()).copySetUpLink(),
    },
    intents: {
      setApiKey: async (_, page) => {
        await setup.askApiKey(findBaseUrl(chat.findConversation(page.conversationId)));
        await panel.returnTo(page);
      },
      manageServices: async (_, page) => {
        await (await getServiceActions()).manage();
        await panel.returnTo(page);
      },
    },
  } satisfies Feature;
}
