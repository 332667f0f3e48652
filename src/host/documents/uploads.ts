/** What uploads files, in one script that is loaded with the first upload. */

export { FolderPicker } from '../service/folderPicker';
export { inspectFile } from './candidate';
export { confirmUpload } from './confirmUpload';
export { GitIgnore } from './gitIgnore';
export { IncomingFiles } from './incomingFiles';
export { UploadActions } from './uploadActions';
