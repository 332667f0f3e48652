import type { Bot } from './bot';
import { streamWords } from './pace';

/** Repeats the message exactly. */
export const echo: Bot = {
  id: 'echo',
  name: 'Echo',
  async *reply(request) {
    yield* streamWords(request.question, request);
    return {};
  },
};
