import * as vscode from 'vscode';
import type { Conversation } from '../../chat/model/conversation';
import { getSourceTarget } from '../../chat/remote/replySources';
import { openLink } from '../base/externalLink';

/** Opens a source of a reply: the user's own file, or else its link after VS Code's confirmation. */
export async function openSource(
  conversation: Conversation | undefined,
  turnId: string,
  index: number,
): Promise<void> {
  const turn = conversation?.turns.find(({ id }) => id === turnId);
  const source = turn?.kind === 'reply' ? turn.sources?.[index] : undefined;
  const target = conversation && source && getSourceTarget(conversation, source);
  if (target?.kind === 'link') await openLink(target.href);
  // `vscode.open` uses the default editor for the file's type.
  else if (target) await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(target.uri, true));
}
