import assert from 'node:assert/strict';
import type { Chat } from '../../../src/chat/conversations/chat';
import type { WritePermission } from '../../../src/chat/conversations/writePermissions';
import type { TextTurn } from '../../../src/chat/model/turn';

/** Acquires the permission to write a conversation, which no other window may be writing. */
export async function acquire(chat: Chat, id: string): Promise<WritePermission> {
  return (await chat.acquirePermission(id)) ?? assert.fail('Another window is writing.');
}

/** Runs `write` with the permission to write a conversation, and releases it. */
export async function writeTo(
  chat: Chat,
  id: string,
  write: (permission: WritePermission) => void,
): Promise<void> {
  const permission = await acquire(chat, id);
  write(permission);
  await permission.release();
}

/** Puts a message or reply with a permission of its own. */
export function putTurn(chat: Chat, id: string, turn: TextTurn, before?: string): Promise<void> {
  return writeTo(chat, id, (permission) => chat.writer.putTurn(permission, turn, before));
}
