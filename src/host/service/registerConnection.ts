import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerConnection({ setup, panel, conversations, log }: Services) {
  return {
    commands: {
      setBaseUrl: () => setup.askBaseUrl(),
      chooseBot: () => conversations.chooseDefaultBot(),
      showLog: () => log.show(),
    },
    intents: {
      setBaseUrl: (_, page) => setup.askBaseUrl().then(() => panel.returnTo(page)),
      chooseBot: (_, page) => conversations.chooseDefaultBot().then(() => panel.returnTo(page)),
      showLog: () => log.show(),
    },
  } satisfies Feature;
}
