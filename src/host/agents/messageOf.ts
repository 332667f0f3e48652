import * as vscode from 'vscode';
import { baseName } from '../../chat/documents/uploadName';
import { toFencedBlock } from '../../chat/text/fences';
import { composeMessage, countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import { formatCount } from '../base/localizedText';
import { createExcerptChip, createFileChip } from '../context/chips';
import { inspectDocument } from '../files/candidate';
import { confirmSendingSecret, getSecretReason, listTextReasons } from '../files/contentGate';
import { detectSecret } from '../files/detectSecret';
import { AgentRefusal } from './refusal';

const { t } = vscode.l10n;

interface Attachment {
  readonly name: string;
  /** The attachment's content as a paragraph of the message; undefined if it can't be converted. */
  readonly text?: string;
  /** The document that the text is from. */
  readonly document?: vscode.TextDocument;
}

/**
 * Creates the message for a request: its text, then its attachments. Asks about each attachment that looks like a
 * secret. Throws an AgentRefusal if the message can't be sent as a whole.
 */
export async function createMessage(
  request: Pick<vscode.ChatRequest, 'prompt' | 'references' | 'toolReferences'>,
): Promise<string> {
  // VS Code lists the references in reverse order of the text.
  const references = request.references.toReversed().filter((reference) => !isInstruction(reference));
  const attached = await Promise.all(references.map(readAttachment));
  const text = request.prompt.trim();
  const paragraphs = attached.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
  const unsupported = [
    ...attached.filter(({ text }) => text === undefined).map(({ name }) => name),
    ...request.toolReferences.map(({ name }) => `#${name}`),
  ];
  if (unsupported.length > 0) {
    throw new AgentRefusal(
      t('{0} can’t be part of a message to a bot. Nothing was sent.', formatList(unsupported)),
    );
  }
  const message = composeMessage(text, paragraphs);
  const count = countCodePoints(message);
  if (count <= MESSAGE_LIMIT) {
    for (const attachment of attached) await confirmSecret(attachment);
    return message;
  }
  const parts = [{ name: t('your text'), text }, ...paragraphs].map(
    ({ name, text }) => `${name} ${formatCount(countCodePoints(text))}`,
  );
  throw new AgentRefusal(
    t(
      'Your message is {0} characters long ({1}); the limit is {2}. Nothing was sent. Remove something, or upload it to the conversation in Parley.',
      formatCount(count),
      formatList(parts),
      formatCount(MESSAGE_LIMIT),
    ),
  );
}

/**
 * VS Code adds its instructions for agents to every request; the user did not choose to send them to the
 * service.
 */
function isInstruction({ id }: vscode.ChatPromptReference): boolean {
  return /^vscode\.(instructions|prompt\.instructions|customizations)\b/.test(id);
}

async function readAttachment({ id, value }: vscode.ChatPromptReference): Promise<Attachment> {
  if (typeof value === 'string') return { name: id, text: toFencedBlock(value) };
  if (value instanceof vscode.Location) {
    const document = await openDocument(value.uri);
    return document
      ? { ...createExcerptChip('selection', document, value.range), document }
      : { name: baseName(value.uri.path) };
  }
  if (value instanceof vscode.Uri) {
    const document = await openDocument(value);
    return document ? { ...createFileChip(document), document } : { name: baseName(value.path) };
  }
  return { name: id };
}

/** Throws an AgentRefusal if the attachment looks like a secret and the user doesn't want to send it. */
async function confirmSecret({ name, text = '', document }: Attachment): Promise<void> {
  const origin = document && (await inspectDocument(document, text));
  const secret = origin ? origin.secret : detectSecret('', new TextEncoder().encode(text));
  if (!secret) return;
  const reasons = origin ? listTextReasons(origin) : [getSecretReason({ secret })];
  if (await confirmSendingSecret(name, reasons)) return;
  throw new AgentRefusal(t('You chose not to send {0}. Nothing was sent.', name));
}

/**
 * Opens the document, with unsaved changes if it is open in an editor; undefined if it isn't text: a folder,
 * an image, a missing file.
 */
async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    // The refusal names the attachment, whatever the reason was.
    return undefined;
  }
}

function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language).format(items);
}
