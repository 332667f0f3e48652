import type { Chat } from '../../../src/chat/conversations/chat';
import type { ConversationWriter } from '../../../src/chat/conversations/conversationWriter';
import type { WritePermission } from '../../../src/chat/conversations/writePermissions';
import type { DocumentTurn, MessageTurn, ReplyTurn } from '../../../src/chat/model/turn';

// Compiled with the lint, and never run: what isn't allowed to write doesn't compile.

export function writeWithPermission(
  chat: Chat,
  permission: WritePermission,
  { message, reply, document }: { message: MessageTurn; reply: ReplyTurn; document: DocumentTurn },
) {
  chat.writer.putTurn(permission, message);
  chat.writer.appendText(permission, reply.id, 'text');
  chat.writer.endReply(permission, reply);
  chat.writer.putDocument(permission.conversationId, document);
}

export function writeWithoutPermission(
  chat: Chat,
  writer: ConversationWriter,
  id: string,
  { message, reply }: { message: MessageTurn; reply: ReplyTurn },
) {
  // @ts-expect-error
  chat.writer.putTurn(id, message);
  // @ts-expect-error
  writer.putTurn(id, message, undefined);
  // @ts-expect-error
  chat.writer.removeTurn(id, message.id);
  // @ts-expect-error
  chat.writer.appendText(id, reply.id, 'text');
  // @ts-expect-error
  chat.writer.endReply(id, reply);
  // @ts-expect-error: what needs no permission takes documents only.
  chat.writer.putDocument(id, message);
  // @ts-expect-error
  chat.writer.removeDocument(id, reply);
  // @ts-expect-error: a refused acquire is no permission.
  void chat.acquirePermission(id).then((permission) => chat.writer.putTurn(permission, message));
  const lost = new AbortController().signal;
  const check = () => Promise.resolve();
  const forged = {
    conversationId: id,
    kind: 'leased',
    lost,
    isReleased: false,
    check,
    release: check,
  } as const;
  // @ts-expect-error: has no private fields.
  chat.writer.putTurn(forged, message);
  // @ts-expect-error: only WritePermissions makes them.
  chat.writer.putTurn(new WritePermission(id, undefined, check, check), message);
}
