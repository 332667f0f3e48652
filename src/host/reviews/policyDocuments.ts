import * as vscode from 'vscode';
import { listDocuments } from '../../chat/documents/readDocuments';
import { findServiceDocuments } from '../../chat/documents/serviceDocuments';
import { baseName } from '../../chat/documents/uploadName';
import { type Conversation, findBaseUrl, isReplaced } from '../../chat/model/conversation';
import type { Service } from '../../chat/remote/service';
import { ServiceError } from '../../client/serviceError';
import type { Bot } from '../../shared/view/viewModel';
import { GitIgnore } from '../files/gitIgnore';

const { t } = vscode.l10n;

/** A document that a change can be reviewed against. */
export type PolicyDocument = { readonly name: string } & (
  | { readonly from: 'service'; readonly documentId: string }
  /** Only the conversation shown last has it, as far as is known. */
  | { readonly from: 'conversation' }
  | { readonly from: 'workspace'; readonly uri: vscode.Uri }
);

export interface PolicyItem extends vscode.QuickPickItem {
  readonly policy: PolicyDocument;
  /** Identifies it in the memory of what was chosen last. */
  readonly key: string;
}

/** Files with text for people; `**` stands once, so that the glob is quick to match. */
const FILES = '**/*.{md,mdx,markdown,rst,adoc,txt,rtf,pdf,doc,docx,docm,ppt,pptx,pptm}';
/** Their many documents are about other people's code. */
const EXCLUDED_FILES = '**/{node_modules,bower_components}/**';
const MAX_FILES = 500;
const MAX_SERVICE_DOCUMENTS = 1000;
const SEARCH_LIMIT_MS = 10_000;
const LIKELY_NAME = /polic|guideline|standard|rule|security|contributing|convention|style|compliance/i;

/**
 * Lists the documents of a bot's service and of the conversation shown last, and the files of the workspace, the likely
 * ones first. Sends nothing of the workspace.
 */
export async function listPolicyDocuments(
  bot: Bot,
  service: Service,
  conversation: Conversation | undefined,
): Promise<readonly PolicyItem[]> {
  const isSameService = conversation?.bot !== undefined && findBaseUrl(conversation) === service.baseUrl;
  const own = isSameService ? listOfConversation(conversation, conversation.bot?.id === bot.id) : [];
  const [listed, files] = await Promise.all([listOfService(service), listFiles()]);
  const items = [...own, ...listed, ...files];
  return [...new Map(items.map((item) => [item.key, item])).values()];
}

function listOfConversation(conversation: Conversation, isSameBot: boolean): PolicyItem[] {
  const description = t('in “{0}”', conversation.name);
  const own = conversation.turns.flatMap((turn): PolicyItem[] => {
    if (turn.kind !== 'document' || turn.state !== 'attached' || isReplaced(conversation, turn.id)) return [];
    const { name, documentId } = turn;
    if (documentId !== undefined) return [createServiceItem(documentId, name, description)];
    if (!isSameBot) return [];
    return [
      { label: name, description, policy: { from: 'conversation', name }, key: `conversation ${turn.id}` },
    ];
  });
  const others = findServiceDocuments(conversation).flatMap(({ document: { id, name }, origin }) =>
    origin === 'addedElsewhere' ? [createServiceItem(id, name, description)] : [],
  );
  return [...own, ...others];
}

async function listOfService(service: Service): Promise<PolicyItem[]> {
  try {
    const documents = (await listDocuments(service, undefined)) ?? [];
    return documents
      .slice(0, MAX_SERVICE_DOCUMENTS)
      .map(({ id, name }) => createServiceItem(id, name, t('on the service')));
  } catch (error) {
    // The files of the workspace can still be chosen.
    if (!(error instanceof ServiceError)) throw error;
    return [];
  }
}

function createServiceItem(documentId: string, name: string, description: string): PolicyItem {
  return {
    label: name,
    description,
    policy: { from: 'service', name, documentId },
    key: `service ${documentId}`,
  };
}

async function listFiles(): Promise<PolicyItem[]> {
  const source = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => source.cancel(), SEARCH_LIMIT_MS);
  try {
    const uris = await vscode.workspace.findFiles(FILES, EXCLUDED_FILES, MAX_FILES, source.token);
    const gitIgnore = new GitIgnore();
    const items: (PolicyItem & { readonly path: string })[] = [];
    for (const uri of uris) {
      if (await gitIgnore.ignores(uri)) continue;
      const path = vscode.workspace.asRelativePath(uri);
      const name = baseName(uri.path);
      items.push({
        label: name,
        description: path,
        policy: { from: 'workspace', name, uri },
        key: uri.toString(),
        path,
      });
    }
    const rank = ({ path }: { readonly path: string }) =>
      (LIKELY_NAME.test(path) ? 0 : 1000) + path.split('/').length;
    return items.toSorted((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  } finally {
    clearTimeout(timer);
    source.dispose();
  }
}
