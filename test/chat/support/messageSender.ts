import assert from 'node:assert/strict';
import { MessageSender } from '../../../src/chat/replies/messageSender';
import { openBytes } from '../../../src/host/platform/openBytes';
import { confirmed } from './confirmed';

/** Returns a Markdown file that isn't on a disk. */
export function createTextFile(name: string, text: string) {
  const open = () => openBytes(new TextEncoder().encode(text));
  return confirmed({ name, contentType: 'text/markdown', opened: open(), reopen: async () => open() });
}

/** Creates a sender for a window, whose user isn't asked anything. */
export function createMessageSender(
  window: ConstructorParameters<typeof MessageSender>[0],
  host: Partial<ConstructorParameters<typeof MessageSender>[1]> = {},
): MessageSender {
  return new MessageSender(window, {
    formatReference: (name) => `See “${name}”.`,
    formatContextNote: (name) => `(See “${name}”.)`,
    createFile: createTextFile,
    confirmAddAgain: () => assert.fail('It asked.'),
    ...host,
  });
}
