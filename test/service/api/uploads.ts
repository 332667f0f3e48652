import { extname } from 'node:path';
import { isIssueFault } from '../faults/faults';
import { signUpload } from '../storage/objectStore';
import { type Route, Validation } from './apiCall';

export function getExtension(fileName: string): string {
  return extname(fileName).slice(1).toLowerCase();
}

export const uploadRoutes: readonly Route[] = [
  {
    operation: 'POST /uploads/signed-url',
    async handle({ state, body }) {
      const fields = new Validation(body);
      const fileName = fields.requireString('file_name');
      const contentType = fields.requireString('content_type');
      if (fileName && !getExtension(fileName)) {
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
];
