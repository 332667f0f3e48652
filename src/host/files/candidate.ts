import * as vscode from 'vscode';
import { platform } from '#platform';
import type { FileToUpload } from '../../chat/documents/fileToUpload';
import { createUploadNameByExtension } from '../../chat/documents/fileUploadName';
import { baseName, toTextUploadName } from '../../chat/documents/uploadName';
import { FileChangedError } from '../../chat/model/failure';
import { getTextUploadExtensions } from '../base/settings';
import { openBytes } from '../platform/openBytes';
import { type FoundFile, HEAD_BYTES } from '../platform/platform';
import { findPlaceConcerns } from '../platform/workspacePlace';
import { detectSecret, type SecretReason } from './detectSecret';
import { findUnsavedDocument, getDocumentName, hasOtherUnsavedEditor } from './editorText';
import { GitIgnore } from './gitIgnore';

/** Why the user is asked before a file is uploaded. */
export type Concern = 'large' | 'ignored' | 'link' | 'outside' | 'kind' | 'tooLarge' | 'savedOnly';

/** A file that was opened and inspected, and is uploaded once the user confirms. */
export interface Candidate {
  readonly uri: vscode.Uri;
  readonly file: FileToUpload;
  /** The URI after resolving symbolic links. */
  readonly realUri: vscode.Uri;
  readonly concerns: readonly Concern[];
  readonly secret?: SecretReason;
  /** The file in a Git diff that looks like a secret. */
  readonly secretPath?: string;
}

/** A file or an open document, as far as the user is asked before text of it becomes part of a message. */
export type TextOrigin = Pick<Candidate, 'uri' | 'realUri' | 'concerns' | 'secret'> & {
  readonly file: Pick<FileToUpload, 'unsaved'>;
};

/** Why a file can't be uploaded; the message is shown to the user. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal';
}

const LARGE_BYTES = 10 * 1000 * 1000;
/**
 * The hosted service's limit (docs/service.md: POST /documents/file). Other services may differ: asks instead
 * of refusing.
 */
const USUAL_LIMIT_BYTES = 100 * 1024 * 1024;
/** Converted by the hosted service (docs/service.md: POST /documents/file); other types need confirmation. */
const USUAL_EXTENSIONS = new Set('txt md rtf pdf ppt pptx pptm doc docx docm'.split(' '));

/** Opens a file, or reads an editor's text, and inspects it. Throws FileRefusal or the file system's error. */
export function inspectFile(uri: vscode.Uri, gitIgnore: GitIgnore): Promise<Candidate> {
  return inspect(uri, gitIgnore, findFile);
}

/** Opens a file as last saved, whatever its editor has, and inspects it. Throws FileRefusal or the file system's error. */
export function inspectSavedFile(uri: vscode.Uri, gitIgnore: GitIgnore): Promise<Candidate> {
  return inspect(uri, gitIgnore, findSavedFile);
}

async function inspect(
  uri: vscode.Uri,
  gitIgnore: GitIgnore,
  find: (uri: vscode.Uri) => Promise<OpenedCandidate>,
): Promise<Candidate> {
  const found = await find(uri);
  try {
    if (found.body.size === 0) throw new FileRefusal(vscode.l10n.t('it is empty.'));
    const names = createUploadNameByExtension(found.name, getTextUploadExtensions());
    const text = toTextUploadName(found.name);
    const isText = !found.head.includes(0) && text.name !== names.name;
    const secret = findSecret(uri, found.realUri, found.head);
    const concerns = [
      ...(await findPlaceConcerns(uri, found.realUri)),
      ...(found.unsaved || uri.scheme === 'untitled' || !(await gitIgnore.ignores(uri)) ? [] : ['ignored']),
      ...findContentConcerns(names.name, found.body.size),
      ...(hasOtherUnsavedEditor(uri) ? ['savedOnly'] : []),
    ] as Concern[];
    const file: FileToUpload = {
      ...names,
      uri: uri.toString(),
      opened: found,
      ...(found.unsaved && { unsaved: true }),
      ...(isText && { asText: text }),
      reopen: () => reopen(uri, found, secret, find),
    };
    return { uri, file, realUri: found.realUri, concerns, ...(secret && { secret }) };
  } catch (error) {
    await found.close();
    throw error;
  }
}

/** Inspects an open document, and the text of it that is to become part of a message. */
export async function inspectDocument(document: vscode.TextDocument, text: string): Promise<TextOrigin> {
  const { uri, isUntitled, isDirty } = document;
  // A deleted file can still be open.
  const realUri = await platform.realUri(uri).catch(() => uri);
  const isIgnored = !isUntitled && (await new GitIgnore().ignores(uri));
  const encoder = new TextEncoder();
  const head = encoder.encode(document.getText().slice(0, HEAD_BYTES));
  // The head may be without it.
  const secret = findSecret(uri, realUri, head) ?? detectSecret(uri.path, encoder.encode(text));
  return {
    uri,
    realUri,
    concerns: [...(await findPlaceConcerns(uri, realUri)), ...(isIgnored ? ['ignored' as const] : [])],
    file: isDirty && !isUntitled ? { unsaved: true } : {},
    ...(secret && { secret }),
  };
}

/** Inspects content that is in memory only, such as a pasted image. Throws FileRefusal. */
export function inspectBytes(fileName: string, bytes: Uint8Array<ArrayBuffer>): Candidate {
  if (bytes.length === 0) throw new FileRefusal(vscode.l10n.t('it is empty.'));
  const names = createUploadNameByExtension(fileName, getTextUploadExtensions());
  const text = toTextUploadName(fileName);
  const head = bytes.subarray(0, HEAD_BYTES);
  const uri = vscode.Uri.from({ scheme: 'untitled', path: baseName(fileName) });
  const secret = detectSecret(`/${baseName(fileName)}`, head);
  const file: FileToUpload = {
    ...names,
    opened: openBytes(bytes),
    ...(!head.includes(0) && text.name !== names.name && { asText: text }),
    reopen: async () => openBytes(bytes),
  };
  const concerns = findContentConcerns(names.name, bytes.length);
  return { uri, file, realUri: uri, concerns, ...(secret && { secret }) };
}

function findContentConcerns(name: string, size: number): Concern[] {
  return [
    ...(size > USUAL_LIMIT_BYTES ? ['tooLarge' as const] : size > LARGE_BYTES ? ['large' as const] : []),
    ...(USUAL_EXTENSIONS.has(name.split('.').at(-1)?.toLowerCase() ?? '') ? [] : ['kind' as const]),
  ];
}

interface OpenedCandidate extends FoundFile {
  readonly name: string;
  readonly unsaved?: true;
}

async function findFile(uri: vscode.Uri): Promise<OpenedCandidate> {
  const document = findUnsavedDocument(uri);
  if (!document) return findSavedFile(uri);
  const bytes = new TextEncoder().encode(document.getText());
  const realUri = document.isUntitled ? uri : await platform.realUri(uri);
  const head = bytes.slice(0, HEAD_BYTES);
  return { ...openBytes(bytes), realUri, head, name: getDocumentName(document), unsaved: true };
}

async function findSavedFile(uri: vscode.Uri): Promise<OpenedCandidate> {
  return { ...(await platform.openFile(uri)), name: baseName(uri.path) };
}

/**
 * Reopens the file with its current content for Retry. Throws FileChangedError if the user would have to be
 * asked again.
 */
async function reopen(
  uri: vscode.Uri,
  before: OpenedCandidate,
  agreed: SecretReason | undefined,
  find: (uri: vscode.Uri) => Promise<OpenedCandidate>,
): Promise<OpenedCandidate> {
  let now: OpenedCandidate;
  try {
    now = await find(uri);
  } catch (error) {
    throw new FileChangedError(uri.path, { cause: error });
  }
  const secret = findSecret(uri, now.realUri, now.head);
  const isOther = now.realUri.toString() !== before.realUri.toString() || now.body.size === 0;
  if (!isOther && (secret === undefined || secret === agreed)) return now;
  await now.close();
  throw new FileChangedError(uri.path);
}

function findSecret(uri: vscode.Uri, realUri: vscode.Uri, head: Uint8Array): SecretReason | undefined {
  return detectSecret(uri.path, head) ?? detectSecret(realUri.path, head);
}
