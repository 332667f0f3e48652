/** Lazy entry point for uploads. */

export { inspectFile } from '../files/candidate';
export { confirmUpdate, confirmUpload } from '../files/contentGate';
export { GitIgnore } from '../files/gitIgnore';
export { FolderPicker } from '../service/folderPicker';
export { IncomingFiles } from './incomingFiles';
export { UploadActions } from './uploadActions';
