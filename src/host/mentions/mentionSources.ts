import * as vscode from 'vscode';
import { findServiceDocuments } from '../../chat/documents/serviceDocuments';
import { baseName } from '../../chat/documents/uploadName';
import { type Conversation, isReplaced } from '../../chat/model/conversation';
import { type ContextChip, countCodePoints } from '../../shared/conversation/message';
import { createDocumentChip, createProblemsChip, createTextChip } from '../context/chips';
import { type ContextItem, getContextItems } from '../context/contextItems';
import { type ListedPath, toListedPath } from './fileList';
import { MAX_CHIP_BYTES, readFileText } from './fileText';
import type { Mention } from './mentionItem';
import { waitAtMost } from './waitAtMost';

const { t } = vscode.l10n;

const CONTEXT_LIMIT_MS = 2000;
/** Of each kind. */
const MAX_MENTIONS = 200;

/**
 * Returns what can be mentioned besides files and symbols: open editors, what is selected and visible in them,
 * problems, changes in Git, the terminal, and the conversation's documents.
 */
export async function getMentions(conversation: Conversation | undefined): Promise<readonly Mention[]> {
  // Waits for VS Code's Git extension, which may still be starting.
  const items = (await waitAtMost(getContextItems(), CONTEXT_LIMIT_MS)) ?? [];
  const editors = getEditorUris().map((uri) => createFileMention('editor', toListedPath(uri)));
  const names = new Set(editors.map(({ key }) => key));
  // The whole files of visible editors are among the editors.
  const context = items
    .filter(({ chipKind, origin, chip }) => {
      const isWhole =
        chipKind === 'file' && origin instanceof vscode.Uri && chip?.name === baseName(origin.path);
      return !isWhole || !names.has(origin.toString());
    })
    .map(toMention);
  return [...editors, ...context, ...getProblems(items), ...getDocuments(conversation)];
}

/** Creates a mention of a whole file. */
export function createFileMention(kind: 'editor' | 'file', { uri, name, folder }: ListedPath): Mention {
  return {
    ...{ kind, name, uri },
    ...(folder !== '' && { description: folder }),
    key: uri.toString(),
    content: { type: 'whole' },
    measure: async () => {
      const text = await readFileText(uri, MAX_CHIP_BYTES);
      return text === undefined ? undefined : countCodePoints(createTextChip('file', uri, text).text);
    },
  };
}

export function createFolderMention({ uri, name, folder }: ListedPath): Mention {
  return {
    ...{ kind: 'folder', name, uri },
    ...(folder !== '' && { description: folder }),
    key: uri.toString(),
    content: { type: 'whole' },
    measure: async () => undefined,
  };
}

/** Returns the files of all tabs, the active one first. */
function getEditorUris(): readonly vscode.Uri[] {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const active = activeTabGroup.activeTab ? [activeTabGroup.activeTab] : [];
  const uris = new Map<string, vscode.Uri>();
  for (const { input } of [...active, ...all.flatMap(({ tabs }) => tabs)]) {
    const isEditor =
      input instanceof vscode.TabInputText ||
      input instanceof vscode.TabInputNotebook ||
      input instanceof vscode.TabInputCustom;
    const uri = isEditor ? input.uri : input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
    if (uri && uri.scheme !== 'output' && uris.size < MAX_MENTIONS) uris.set(uri.toString(), uri);
  }
  return [...uris.values()];
}

function toMention({ chipKind, label, origin, chip, resolve }: ContextItem): Mention {
  const kind = chipKind === 'file' ? 'selection' : chipKind;
  const uri = origin instanceof vscode.Uri ? origin : undefined;
  const description =
    kind === 'selection' ? chip?.name : uri ? vscode.workspace.asRelativePath(uri) : `${origin}`;
  const { content, measure } = createChipContent(resolve);
  return {
    ...{ kind, name: label, content },
    ...(description !== undefined && { description }),
    key: `${label} ${origin.toString()}`,
    // Problems have no content of the file.
    ...(uri && kind !== 'problems' && { uri }),
    // The terminal's selection can only be read through the clipboard.
    ...(kind !== 'terminal' && { measure }),
  };
}

/** Returns the problems of all files that have no item yet. */
function getProblems(items: readonly ContextItem[]): readonly Mention[] {
  const seen = new Set(
    items.flatMap(({ chipKind, origin }) => (chipKind === 'problems' ? [origin.toString()] : [])),
  );
  return vscode.languages
    .getDiagnostics()
    .filter(([uri, problems]) => problems.length > 0 && !seen.has(uri.toString()))
    .slice(0, MAX_MENTIONS)
    .map(([uri, problems]) => ({
      kind: 'problems',
      name: t('Problems in {0}', baseName(uri.path)),
      description: vscode.workspace.asRelativePath(uri),
      key: uri.toString(),
      ...createChipContent(async () => createProblemsChip(uri, problems)),
    }));
}

function getDocuments(conversation: Conversation | undefined): readonly Mention[] {
  if (!conversation) return [];
  const own = conversation.turns.flatMap((turn) =>
    turn.kind === 'document' && turn.state === 'attached' && !isReplaced(conversation, turn.id)
      ? [{ key: turn.id, name: turn.name }]
      : [],
  );
  const others = findServiceDocuments(conversation).flatMap(({ document: { id, name }, origin }) =>
    origin === 'addedElsewhere' ? [{ key: `service ${id}`, name }] : [],
  );
  return [...own, ...others].slice(-MAX_MENTIONS).map(({ key, name }) => ({
    ...{ kind: 'document', key, name },
    ...createChipContent(async () => createDocumentChip(baseName(name))),
  }));
}

/** Creates the content of a mention from its chip, which is created once. */
function createChipContent(
  createChip: () => Promise<ContextChip | string>,
): Required<Pick<Mention, 'content' | 'measure'>> {
  let chip: Promise<ContextChip | string> | undefined;
  const create = () => {
    chip ??= createChip();
    return chip;
  };
  return {
    content: { type: 'chip', create: async () => withNewId(await create()) },
    measure: async () => {
      const created = await create();
      return typeof created === 'string' ? undefined : countCodePoints(created.text);
    },
  };
}

/** Returns a chip with a new ID: the same chip may be added twice. */
function withNewId(chip: ContextChip | string): ContextChip | string {
  return typeof chip === 'string' ? chip : { ...chip, id: crypto.randomUUID() };
}
