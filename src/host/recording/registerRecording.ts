import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';

export function registerRecording({ getRecordingActions }: Services) {
  return {
    commands: {
      recordAnswers: async () => (await getRecordingActions()).record(),
    },
  } satisfies Feature;
}
