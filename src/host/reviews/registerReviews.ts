import { Disposable } from 'vscode';
import { REVIEWS_KEY } from '../base/names';
import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerReviews({ memory, onError, getReviewActions, getReviewReplies }: Services) {
  const setState = (state: 'open' | 'resolved' | 'dismissed') => async (thread: unknown) =>
    (await getReviewReplies()).setFindingState(thread, state);
  return {
    commands: {
      reviewChanges: async (source) => (await getReviewActions()).reviewChanges(source),
      resolveFinding: setState('resolved'),
      reopenFinding: setState('open'),
      dismissFinding: setState('dismissed'),
      clearFindings: async () => (await getReviewReplies()).clearFindings(),
    },
    start: () => {
      // Most workspaces have no review, and load nothing.
      if (memory.get(REVIEWS_KEY) !== undefined)
        getReviewReplies()
          .then((replies) => replies.restoreComments())
          .catch(onError);
      return new Disposable(() => undefined);
    },
  } satisfies Feature;
}
