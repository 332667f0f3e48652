import * as vscode from 'vscode';
import { toFencedBlock } from '../../chat/text/fences';
import { baseName } from '../../chat/uploads/uploadName';
import { composeMessage, countCodePoints, MESSAGE_LIMIT } from '../../shared/message';
import { formatCount } from '../base/plural';
import { excerptChip, fileChip } from '../context/chips';
import { Refusal } from './refusal';

const { t } = vscode.l10n;

interface Attachment {
  readonly name: string;
  /** A paragraph of the message; without it the attachment can't be one. */
  readonly text?: string;
}

/** The message that a request stands for: its text, then what is attached. Throws a Refusal where it can't be sent whole. */
export async function createMessage(
  request: Pick<vscode.ChatRequest, 'prompt' | 'references' | 'toolReferences'>,
): Promise<string> {
  // VS Code names the last in the text first.
  const references = request.references.toReversed().filter((reference) => !isInstruction(reference));
  const attached = await Promise.all(references.map(read));
  const text = request.prompt.trim();
  const paragraphs = attached.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
  const cannot = [
    ...attached.filter(({ text }) => text === undefined).map(({ name }) => name),
    ...request.toolReferences.map(({ name }) => `#${name}`),
  ];
  if (cannot.length > 0) {
    throw new Refusal(t('{0} can’t be part of a message to a bot. Nothing was sent.', formatList(cannot)));
  }
  const message = composeMessage(text, paragraphs);
  const count = countCodePoints(message);
  if (count <= MESSAGE_LIMIT) return message;
  const parts = [{ name: t('your text'), text }, ...paragraphs].map(
    ({ name, text }) => `${name} ${formatCount(countCodePoints(text))}`,
  );
  throw new Refusal(
    t(
      'This message has {0} characters ({1}), and a message holds {2}. Nothing was sent: leave something out, or upload it to the conversation in Parley.',
      formatCount(count),
      formatList(parts),
      formatCount(MESSAGE_LIMIT),
    ),
  );
}

/** VS Code adds its instructions for agents to every request; nobody chose to send them to this service. */
function isInstruction({ id }: vscode.ChatPromptReference): boolean {
  return /^vscode\.(instructions|prompt\.instructions|customizations)\b/.test(id);
}

async function read({ id, value }: vscode.ChatPromptReference): Promise<Attachment> {
  if (typeof value === 'string') return { name: id, text: toFencedBlock(value) };
  if (value instanceof vscode.Location) {
    const document = await open(value.uri);
    return document ? excerptChip('selection', document, value.range) : { name: baseName(value.uri.path) };
  }
  if (value instanceof vscode.Uri) {
    const document = await open(value);
    return document ? fileChip(document) : { name: baseName(value.path) };
  }
  return { name: id };
}

/** The text as it stands in the editor, else in the file; undefined where it is none: a folder, a picture, a missing file. */
async function open(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    // The refusal names it, whatever the reason was.
    return undefined;
  }
}

function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language).format(items);
}
