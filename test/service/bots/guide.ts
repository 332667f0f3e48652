import type { Bot } from './bot';
import { say } from './pace';

/** Answers from the documents of the conversation. */
export const guide: Bot = {
  id: 'guide',
  name: 'Guide',
  description: 'Answers from the documents that you upload to the conversation.',
  async *reply(request) {
    yield* say('Hello, I am **Guide**. Upload a file and ask me about it.', request);
    return {};
  },
};
