import { findBaseUrl } from '../../chat/model/conversation';
import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

/** The services that are set up, and their keys. */
export function registerServices({ chat, serviceActions, setup, panel }: Services) {
  return {
    commands: {
      setApiKey: () => serviceActions.setApiKey(),
      clearApiKey: () => serviceActions.clearApiKey(),
      addService: () => serviceActions.add(),
      manageServices: () => serviceActions.manage(),
      copySetUpLink: () => serviceActions.copySetUpLink(),
    },
    intents: {
      setApiKey: async (_, page) => {
        await setup.askApiKey(findBaseUrl(chat.find(page.conversationId)));
        await panel.returnTo(page);
      },
      manageServices: (_, page) => serviceActions.manage().then(() => panel.returnTo(page)),
    },
  } satisfies Feature;
}
