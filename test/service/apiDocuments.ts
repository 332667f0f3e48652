import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { type ApiCall, find, paginate, type Route, Validation } from './apiCall';
import { isIssueFault } from './faults';
import { signDownload, signUpload } from './objectStore';
import type { ServiceDocument } from './records';
import { documentsOf, type ServiceState, seconds } from './state';

function toDocument(state: ServiceState, document: ServiceDocument) {
  const { id, name, conversation_id, created_at, syncedAt, key } = document;
  return {
    id,
    name,
    conversation_id,
    created_at,
    status: state.now() < syncedAt ? 'syncing' : 'synced',
    content_url: signDownload(state, key),
  };
}

function extensionOf(fileName: string): string {
  return extname(fileName).slice(1).toLowerCase();
}

/** A path, a control character or a bidi override is no part of a file's name. */
const unsafeName = /[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

async function createDocument({ state, body }: ApiCall): Promise<ServiceDocument> {
  const fields = new Validation(body);
  const { acceptedExtensions, maxUploadBytes, syncMs, objectStorage } = state.settings;
  const key = fields.required('key');
  const name = fields.required('file_name');
  const conversationId = fields.required('conversation_id');
  const bytes = objectStorage ? await objectStorage.read(key) : state.objects.get(key);
  const contentType = state.uploads.get(key)?.contentType ?? '';
  if (name && unsafeName.test(name)) fields.fail('file_name', 'The file name must be a plain name.');
  if (name && !acceptedExtensions.includes(extensionOf(name))) {
    fields.fail(
      'file_name',
      `The file name must have one of these extensions: ${acceptedExtensions.join(', ')}.`,
    );
  }
  if (key && !bytes) fields.fail('key', 'The selected key is invalid: nothing was uploaded there.');
  if (bytes && bytes.length > maxUploadBytes) {
    fields.fail('file_size', `The file must not be greater than ${maxUploadBytes} bytes.`);
  }
  if (bytes && !/^(text|application)\//.test(contentType)) {
    fields.fail('content_type', `Files of type ${contentType} are not accepted.`);
  }
  if (conversationId && !state.conversations.has(conversationId)) {
    fields.fail('conversation_id', 'The selected conversation id is invalid.');
  }
  fields.check();
  const document: ServiceDocument = {
    id: randomUUID(),
    conversation_id: conversationId,
    name,
    key,
    created_at: seconds(state),
    syncedAt: state.now() + syncMs,
  };
  state.documents.set(document.id, document);
  return document;
}

export const documentRoutes: readonly Route[] = [
  {
    operation: 'POST /uploads/signed-url',
    async handle({ state, body }) {
      const fields = new Validation(body);
      const fileName = fields.required('file_name');
      const contentType = fields.required('content_type');
      if (fileName && !extensionOf(fileName)) {
        fields.fail('file_name', 'The file name must contain the file extension.');
      }
      if (contentType && !/^[\w.+-]+\/[\w.+-]+/.test(contentType)) {
        fields.fail('content_type', 'The content type must be a MIME type.');
      }
      fields.check();
      const fault = state.faults.take('POST /uploads/signed-url', isIssueFault);
      const signed = await signUpload(state, { fileName, contentType }, fault !== undefined);
      return { body: state.settings.wrapSigned ? { data: signed } : signed };
    },
  },
  {
    operation: 'POST /documents/file',
    handle: async (call) => ({ body: { data: toDocument(call.state, await createDocument(call)) } }),
  },
  {
    operation: 'GET /documents',
    handle({ state, query }) {
      const id = query.get('conversation_id');
      const documents = id
        ? documentsOf(state, find(state.conversations, id, 'conversation').id)
        : [...state.documents.values()];
      const { data, meta } = paginate(documents, query);
      return { body: { data: data.map((document) => toDocument(state, document)), meta } };
    },
  },
];
