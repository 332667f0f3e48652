/** What uploads files, in one script that is loaded with the first upload. */

export { inspectFile } from '../files/candidate';
export { confirmUpdate, confirmUpload } from '../files/contentGate';
export { GitIgnore } from '../files/gitIgnore';
export { FolderPicker } from '../service/folderPicker';
export { IncomingFiles } from './incomingFiles';
export { UploadActions } from './uploadActions';
