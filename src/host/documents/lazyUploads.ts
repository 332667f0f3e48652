/** Lazy entry point for uploads. */

export { FolderPicker } from '../service/folderPicker';
export { DocumentFiles } from './documentFiles';
export { IncomingFiles } from './incomingFiles';
export { UploadActions } from './uploadActions';
