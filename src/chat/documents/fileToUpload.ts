import type { UploadBody } from '../../client/serviceClient';
import type { UploadName } from './uploadName';

/** A file opened for upload: these contents are sent even if the path now leads elsewhere. */
export interface OpenedFile {
  /** The contents. */
  readonly body: UploadBody;
  /** Returns the SHA-256 digest of the body in hex. */
  sha256(): Promise<string>;
  /** Returns whether the file still exists and is the same as when it was opened. */
  unchanged(): Promise<boolean>;
  close(): Promise<void>;
}

/** A file that can be uploaded, with its name for the service. */
export interface FileToUpload extends UploadName {
  /** The file's location for the user, to open it from a reply that is based on it. */
  readonly uri?: string;
  /** The contents that were inspected. */
  readonly opened: OpenedFile;
  /** The contents are unsaved text from an editor. */
  readonly unsaved?: true;
  /** ID of the document that this is a newer version of. */
  readonly replaces?: string;
  /** An agent uploads it. */
  readonly via?: 'tool';
  /** Its name for an upload as plain text, if that is possible and differs. */
  readonly asText?: UploadName;
  /** Opens the file again for a retry. Throws FileChangedError if the user would have to agree again. */
  reopen(): Promise<OpenedFile>;
}

declare const confirmed: unique symbol;

/**
 * A file that may be uploaded, because the user confirmed it or needn't be asked. Only the content gate makes them
 * (src/host/files/contentGate.ts), and for texts of Parley's own `createConfirmedMarkdown` (src/host/files/confirmedMarkdown.ts).
 */
export type ConfirmedFile = FileToUpload & { readonly [confirmed]: true };
