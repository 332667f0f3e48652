import * as vscode from 'vscode';
import type { Conversation } from '../../chat/model/conversation';
import { getSourceTarget } from '../../chat/remote/sources';
import { openLink } from '../base/externalLink';

/** Opens a document that a reply was made from: the person's own file, else its address after VS Code's question. */
export async function openSource(
  conversation: Conversation | undefined,
  turnId: string,
  index: number,
): Promise<void> {
  const turn = conversation?.turns.find(({ id }) => id === turnId);
  const source = turn?.kind === 'reply' ? turn.sources?.[index] : undefined;
  const target = conversation && source && getSourceTarget(conversation, source);
  if (target?.kind === 'link') await openLink(target.href);
  // In the editor for its kind, which may be a viewer.
  else if (target) await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(target.uri, true));
}
