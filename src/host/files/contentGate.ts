import * as vscode from 'vscode';
import type { ConfirmedFile } from '../../chat/documents/fileToUpload';
import { baseName } from '../../chat/documents/uploadName';
import type { ContextChip } from '../../shared/conversation/message';
import { confirm, pickSome } from '../base/dialogs';
import { formatBytes, plural } from '../base/localizedText';
import { type Candidate, type Concern, inspectDocument, type TextOrigin } from './candidate';
import { detectSecretInDiff } from './detectSecret';

const { t } = vscode.l10n;

/** More files than this are listed for confirmation before they are uploaded. */
const ASK_ABOVE = 5;

/** The files to upload, inspected. */
export interface Selection {
  readonly candidates: readonly Candidate[];
  /** Set if the files came from a folder: the number of files and folders that were left out. */
  readonly leftOut?: number;
  /** A page named these files. Pages show untrusted text, so the user must confirm. */
  readonly namedByPage?: true;
}

/** An inspected file that may be uploaded. */
export type ConfirmedCandidate = Candidate & { readonly file: ConfirmedFile };

/**
 * Asks for confirmation if there are many files, they come from a folder, or any of them has a concern, and
 * asks for each secret separately. Resolves to the confirmed files, none if canceled.
 */
export async function confirmUpload(selection: Selection): Promise<readonly ConfirmedCandidate[]> {
  return (await askToUpload(selection)) as readonly ConfirmedCandidate[];
}

/**
 * Confirms a newer version of a document without a question, because the user turned on its updates. Undefined if it is
 * now a secret, a link, or outside the workspace.
 */
export function confirmUpdate(candidate: Candidate): ConfirmedCandidate | undefined {
  const { secret, concerns } = candidate;
  const isAllowed = secret === undefined && !concerns.includes('link') && !concerns.includes('outside');
  return isAllowed ? (candidate as ConfirmedCandidate) : undefined;
}

/**
 * Confirms a file of a list of paths that the user agreed to. Undefined if it is now a secret, ignored by Git, a link, or outside
 * the workspace: such files are never in that list.
 */
export function confirmListed(candidate: Candidate): ConfirmedCandidate | undefined {
  return candidate.concerns.includes('ignored') ? undefined : confirmUpdate(candidate);
}

async function askToUpload({ candidates, leftOut, namedByPage }: Selection): Promise<readonly Candidate[]> {
  const [only] = candidates;
  const isSingle = candidates.length === 1 && leftOut === undefined;
  const isAsked =
    candidates.length > ASK_ABOVE ||
    leftOut !== undefined ||
    namedByPage === true ||
    !vscode.workspace.isTrusted ||
    candidates.some(({ concerns }) => concerns.length > 0);
  if (isSingle && only && isAsked && !only.secret) return (await confirmOne(only)) ? [only] : [];
  const listed = isAsked && !isSingle ? await confirmList(candidates, leftOut) : candidates;
  const agreed: Candidate[] = [];
  for (const candidate of listed) {
    if (candidate.secret) {
      const answer = await confirmSecret(candidate, listed.length > 1);
      if (answer === 'cancel') return [];
      if (answer === 'keep') continue;
    }
    agreed.push(candidate);
  }
  return agreed;
}

/** Describes the concerns about a file that apply to its text in a message, too. */
const MESSAGE_REASONS = {
  ignored: () => t('ignored by Git'),
  link: ({ uri, realUri }: TextOrigin) =>
    realUri.toString() === uri.toString() ? t('a link') : t('a link to {0}', formatFullPath(realUri)),
  outside: () => t('outside the workspace'),
};

/** Returns whether the user is asked before text of a file is added to a message, as for an upload. */
export function isMentionAsked({ secret, concerns }: TextOrigin): boolean {
  const isConcern = concerns.some(isMessageConcern);
  return secret !== undefined || isConcern || !vscode.workspace.isTrusted;
}

/** Asks before text of a file is added to a message. */
export async function confirmMention(origin: TextOrigin): Promise<boolean> {
  if (origin.secret) return confirmSecretText(baseName(origin.uri.path), listTextReasons(origin));
  const add = t('Add');
  const question = t('Add {0} to your message?', baseName(origin.uri.path));
  return (await confirm(question, listTextReasons(origin), add)) === add;
}

/** Asks before text that the user chose in an editor is added to a message, if it looks like a secret. */
export async function confirmChosenText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const origin = await inspectDocument(document, text);
  return !origin.secret || confirmMention(origin);
}

/** Asks before a secret is sent with a message that isn't shown in the composer first. */
export async function confirmSendingSecret(name: string, reasons: readonly string[]): Promise<boolean> {
  const send = t('Send Anyway');
  const question = t('{0} looks like a secret. Send it anyway?', name);
  const details = [...reasons, t('The bot will read it.')];
  // Enter presses the first button.
  return (await confirm(question, details, t('Don’t Send'), send)) === send;
}

/** Returns the path, and why the user is asked before text of it becomes part of a message. */
export function listTextReasons(origin: TextOrigin): string[] {
  const reasons = origin.concerns.filter(isMessageConcern).map((concern) => MESSAGE_REASONS[concern](origin));
  const secret = origin.secret ? [getSecretReason(origin)] : [];
  return [formatPath(origin.uri), ...withUnsavedReason(origin, reasons), ...secret];
}

function isMessageConcern(concern: Concern): concern is keyof typeof MESSAGE_REASONS {
  return concern in MESSAGE_REASONS;
}

/** Asks before a Git diff is added to a message, if a file in it looks like a secret. */
export async function confirmDiff({ name, text }: ContextChip): Promise<boolean> {
  const found = detectSecretInDiff(text);
  return !found || confirmSecretText(baseName(found.path), [name, found.path, getSecretReason(found)]);
}

async function confirmSecretText(name: string, reasons: readonly string[]): Promise<boolean> {
  const add = t('Add Anyway');
  const question = t('{0} looks like a secret. Add it to your message anyway?', name);
  const details = [...reasons, t('The bot will read it when you send the message.')];
  // Enter presses the first button.
  return (await confirm(question, details, t('Don’t Add'), add)) === add;
}

async function confirmOne(candidate: Candidate): Promise<boolean> {
  const upload = t('Upload');
  const choice = await confirm(
    t('Upload {0}?', candidate.file.name),
    [formatPath(candidate.uri), ...listReasons(candidate)],
    upload,
  );
  return choice === upload;
}

async function confirmList(
  candidates: readonly Candidate[],
  leftOut: number | undefined,
): Promise<readonly Candidate[]> {
  const size = formatBytes(candidates.reduce((sum, { file }) => sum + file.opened.body.size, 0));
  const items = candidates.map((candidate) => {
    const reasons = listReasons(candidate);
    if (candidate.secret) reasons.push(t('looks like a secret: you will be asked again'));
    return {
      label: candidate.file.name,
      description: formatPath(candidate.uri),
      ...(reasons.length > 0 && {
        iconPath: new vscode.ThemeIcon('warning'),
        detail: reasons.join(' · '),
      }),
      // Files outside the workspace are not selected by default.
      picked: !candidate.concerns.includes('outside'),
      candidate,
    };
  });
  // Files with concerns come first.
  items.sort((a, b) => Number(b.detail !== undefined) - Number(a.detail !== undefined));
  const title = plural(candidates.length, 'Upload {0} file ({1})', 'Upload {0} files ({1})', size);
  const chosen = await pickSome(items, {
    title: leftOut ? `${title}, ${t('{0} skipped: ignored, excluded, or too large', leftOut)}` : title,
    placeHolder: t('These files will leave your machine. Deselect any that you don’t want to upload.'),
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  return chosen?.map(({ candidate }) => candidate) ?? [];
}

async function confirmSecret(
  candidate: Candidate,
  hasOthers: boolean,
): Promise<'upload' | 'keep' | 'cancel'> {
  const upload = t('Upload Anyway');
  // Enter presses the first button.
  const keep = hasOthers ? t('Skip') : t('Don’t Upload');
  const choice = await confirm(
    t('{0} looks like a secret. Upload it anyway?', candidate.file.name),
    [
      candidate.secretPath ?? formatPath(candidate.uri),
      getSecretReason(candidate),
      ...listReasons(candidate),
      t('The bot and anyone with access to the conversation’s documents could read it.'),
    ],
    keep,
    upload,
  );
  if (choice === upload) return 'upload';
  return choice === keep ? 'keep' : 'cancel';
}

export function getSecretReason({ secret }: Pick<Candidate, 'secret'>): string {
  if (secret === 'git') return t('It is one of Git’s internal files.');
  return secret === 'privateKey'
    ? t('It contains a private key.')
    : t('Its name is typical of files that contain secrets.');
}

function listReasons(candidate: Candidate): string[] {
  return withUnsavedReason(
    candidate,
    candidate.concerns.map((concern) => REASONS[concern](candidate)),
  );
}

function withUnsavedReason({ file }: TextOrigin, reasons: readonly string[]): string[] {
  return [...(file.unsaved ? [t('with the unsaved changes in its editor')] : []), ...reasons];
}

const REASONS: { [C in Concern]: (candidate: Candidate) => string } = {
  ...MESSAGE_REASONS,
  large: ({ file }) => t('large: {0}', formatBytes(file.opened.body.size)),
  tooLarge: ({ file }) =>
    t('{0}: the service may refuse more than 100 MB', formatBytes(file.opened.body.size)),
  kind: ({ file }) =>
    t('of a type that the service may not support: .{0}', file.name.split('.').at(-1) ?? ''),
  savedOnly: () => t('as last saved, without the unsaved changes in its editor'),
};

function formatPath(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)
    ? vscode.workspace.asRelativePath(uri)
    : formatFullPath(uri);
}

function formatFullPath(uri: vscode.Uri): string {
  if (uri.scheme === 'file') return uri.fsPath;
  return uri.scheme === 'untitled' ? uri.path : uri.toString(true);
}
