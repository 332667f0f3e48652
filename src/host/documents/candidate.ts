import * as vscode from 'vscode';
import { platform } from '#platform';
import { FileChangedError } from '../../chat/model/failure';
import type { FileToUpload } from '../../chat/uploads/fileToUpload';
import { baseName, toTextUploadName, uploadName } from '../../chat/uploads/uploadName';
import { uploadAsText } from '../base/settings';
import { openBytes } from '../platform/openBytes';
import { type FoundFile, HEAD_BYTES } from '../platform/platform';
import { findPlaceConcerns } from '../platform/workspacePlace';
import { detectSecret, type SecretSign } from './detectSecret';
import { documentName, hasOtherUnsavedEditor, unsavedDocument } from './editorText';
import type { GitIgnore } from './gitIgnore';

/** Why a person is asked before a file leaves the machine. */
export type Concern = 'large' | 'ignored' | 'link' | 'outside' | 'kind' | 'tooLarge' | 'savedOnly';

/** A file that was opened and looked at, and may leave the machine once the person agrees. */
export interface Candidate {
  readonly uri: vscode.Uri;
  readonly file: FileToUpload;
  /** Where it really lies. */
  readonly realUri: vscode.Uri;
  readonly concerns: readonly Concern[];
  readonly secret?: SecretSign;
}

/** Why a file can't be uploaded, for people. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Bytes. */
const LARGE = 10 * 1000 * 1000;
/** Bytes. What the hosted service takes (docs/service.md: POST /documents/file), so a question and no refusal. */
const USUAL_LIMIT = 100 * 1024 * 1024;
/** What the hosted service converts (docs/service.md: POST /documents/file); other kinds are asked about first. */
const USUAL_KINDS = new Set('txt md rtf pdf ppt pptx pptm doc docx docm'.split(' '));

/** Opens a file, or takes an editor's text, and looks at it. Throws Refusal, or what the file system says. */
export async function inspectFile(uri: vscode.Uri, gitIgnore: GitIgnore): Promise<Candidate> {
  const found = await find(uri);
  try {
    if (found.body.size === 0) throw new Refusal(vscode.l10n.t('it is empty.'));
    const names = uploadName(found.name, uploadAsText());
    const text = toTextUploadName(found.name);
    const isText = !found.head.includes(0) && text.name !== names.name;
    const secret = findSecret(uri, found);
    const concerns = [
      ...(await findPlaceConcerns(uri, found.realUri)),
      ...(found.unsaved || uri.scheme === 'untitled' || !(await gitIgnore.ignores(uri)) ? [] : ['ignored']),
      ...contentConcerns(names.name, found.body.size),
      ...(hasOtherUnsavedEditor(uri) ? ['savedOnly'] : []),
    ] as Concern[];
    const file: FileToUpload = {
      ...names,
      uri: uri.toString(),
      opened: found,
      ...(found.unsaved && { unsaved: true }),
      ...(isText && { asText: text }),
      reopen: () => reopen(uri, found, secret),
    };
    return { uri, file, realUri: found.realUri, concerns, ...(secret && { secret }) };
  } catch (error) {
    await found.close();
    throw error;
  }
}

/** What is in memory and in no file, such as a picture that was pasted. Throws Refusal. */
export function inspectBytes(fileName: string, bytes: Uint8Array<ArrayBuffer>): Candidate {
  if (bytes.length === 0) throw new Refusal(vscode.l10n.t('it is empty.'));
  const names = uploadName(fileName, uploadAsText());
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
  const concerns = contentConcerns(names.name, bytes.length);
  return { uri, file, realUri: uri, concerns, ...(secret && { secret }) };
}

function contentConcerns(name: string, size: number): Concern[] {
  return [
    ...(size > USUAL_LIMIT ? ['tooLarge' as const] : size > LARGE ? ['large' as const] : []),
    ...(USUAL_KINDS.has(name.split('.').at(-1)?.toLowerCase() ?? '') ? [] : ['kind' as const]),
  ];
}

interface Found extends FoundFile {
  readonly name: string;
  readonly unsaved?: true;
}

async function find(uri: vscode.Uri): Promise<Found> {
  const document = unsavedDocument(uri);
  if (!document) return { ...(await platform.openFile(uri)), name: baseName(uri.path) };
  const bytes = new TextEncoder().encode(document.getText());
  const realUri = document.isUntitled ? uri : await platform.realUri(uri);
  const head = bytes.slice(0, HEAD_BYTES);
  return { ...openBytes(bytes), realUri, head, name: documentName(document), unsaved: true };
}

/** For Retry: the same file as it is now, unless the person would have to be asked again. */
async function reopen(uri: vscode.Uri, before: Found, agreed: SecretSign | undefined): Promise<Found> {
  let now: Found;
  try {
    now = await find(uri);
  } catch (error) {
    throw new FileChangedError(uri.path, { cause: error });
  }
  const secret = findSecret(uri, now);
  const isOther = now.realUri.toString() !== before.realUri.toString() || now.body.size === 0;
  if (!isOther && (secret === undefined || secret === agreed)) return now;
  await now.close();
  throw new FileChangedError(uri.path);
}

function findSecret(uri: vscode.Uri, { realUri, head }: Found): SecretSign | undefined {
  return detectSecret(uri.path, head) ?? detectSecret(realUri.path, head);
}
