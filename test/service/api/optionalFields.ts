/** The fields that the contract doesn't promise, by record and name. */
export const optionalFields = [
  'conversation.sources',
  'conversation.document_ids',
  'bot.model',
  'bot.created_at',
  'document.name',
  'document.status',
  'document.content_url',
  'document.folder_id',
  'document.created_at',
  'message.id',
  'message.content',
  'message.conversation_id',
  'message.machine',
  'message.failed_responding',
  'message.flagged',
  'message.created_at',
  'message.sources',
  'message.usage',
  'source.type',
  'source.document_id',
  'source.document_name',
  'source.document_url',
  'source.created_at',
] as const;

export type OptionalField = (typeof optionalFields)[number];
