import { plural, t } from './l10n';

/** What the page says of documents: apart from its other strings, since it is loaded once the page is drawn. */
export const documentStrings = {
  documents: t('Documents'),
  documentCount: (count: number) => plural(count, '{0} document', '{0} documents'),
  documentCounts: {
    underWay: (count: number) => t('{0} on the way', count),
    converting: (count: number) => t('{0} converting', count),
    changed: (count: number) => t('{0} changed', count),
    failed: (count: number) => t('{0} not added', count),
  },
  documentStates: {
    queued: t('Waiting'),
    signing: t('Preparing'),
    uploading: t('Uploading'),
    registering: t('Adding'),
    attached: t('Added'),
    failed: t('Not added'),
    cancelled: t('Cancelled'),
  },
  documentChanged: t('Changed since upload'),
  documentGone: t('File is gone'),
  converting: t('Converting…'),
  notConverted: t('Not converted by the service'),
  waitingUntil: (time: string) => t('Waiting until {0}', time),
  unsavedDocument: t('As it stood in the editor, unsaved'),
  uploaded: (sent: string, size: string) => t('{0} of {1}', sent, size),
  uploadFailed: t('The upload failed.'),
  cancelUpload: t('Cancel'),
  uploadAsText: t('Upload as Text'),
  removeDocument: t('Remove'),
  updateDocument: t('Update'),
  updateOnSave: t('Update on Save'),
  dropHere: t('Drop to upload to the conversation'),
  dropShift: t('(hold Shift)'),
} as const;
