import { isSuggestingEarlierAnswers, onDidChangeSettings } from '../base/settings';
import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerEarlierAnswers({ getEarlierAnswerOffers, forgetEarlierAnswers }: Services) {
  return {
    intents: {
      async *findEarlierAnswer(intent, _, signal) {
        yield* (await getEarlierAnswerOffers()).offerAnswer(intent, signal);
      },
      readEarlierAnswer: async ({ conversationId }) =>
        (await getEarlierAnswerOffers()).readOfferedAnswer(conversationId),
      closeEarlierAnswer: async ({ conversationId }) =>
        (await getEarlierAnswerOffers()).closeOffer(conversationId),
    },
    start: () =>
      onDidChangeSettings(() => {
        if (!isSuggestingEarlierAnswers()) forgetEarlierAnswers();
      }),
  } satisfies Feature;
}
