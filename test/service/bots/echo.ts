import type { Bot } from './bot';
import { say } from './pace';

/** Repeats the message exactly. */
export const echo: Bot = {
  id: 'echo',
  name: 'Echo',
  async *reply(request) {
    yield* say(request.question, request);
    return {};
  },
};
