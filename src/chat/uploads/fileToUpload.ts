import type { UploadBody } from '../../client/serviceClient';
import type { UploadName } from './uploadName';

/** A file that was opened for upload: what is sent is what was opened, even if its path now leads elsewhere. */
export interface OpenedFile {
  /** Bytes. */
  readonly body: UploadBody;
  /** SHA-256 of the body, in hex. */
  sha256(): Promise<string>;
  /** Whether the file still is there, and what it was when it was opened. */
  unchanged(): Promise<boolean>;
  close(): Promise<void>;
}

/** A file that the person agreed to upload, and the name that the service gets. */
export interface FileToUpload extends UploadName {
  /** Where the person has it, to open it from a reply that was made from it. */
  readonly uri?: string;
  /** What was looked at and agreed to. */
  readonly opened: OpenedFile;
  /** The text of an editor goes up, which is not saved. */
  readonly unsaved?: true;
  /** Id of the document that it is a newer version of. */
  readonly replaces?: string;
  /** How it goes up as text, where that is possible and another way. */
  readonly asText?: UploadName;
  /** Opens it anew, for Retry. Throws FileChangedError where the person would have to be asked again. */
  reopen(): Promise<OpenedFile>;
}
