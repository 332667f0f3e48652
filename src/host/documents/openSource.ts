import * as vscode from 'vscode';
import { type Conversation, findReply } from '../../chat/model/conversation';
import type { DocumentTurn } from '../../chat/model/turn';
import { getSourceTarget } from '../../chat/remote/replySources';
import { openLink } from '../base/externalLink';

/** Opens a source of a reply: the user's own file, or else its link after VS Code's confirmation. */
export async function openSource(
  conversation: Conversation | undefined,
  turnId: string,
  index: number,
): Promise<void> {
  const turn = conversation?.turns.find(({ id }) => id === turnId);
  const reply = turn?.kind === 'reply' ? turn : undefined;
  const source = reply?.sources?.[index];
  const target = conversation && source && getSourceTarget(conversation, source, reply?.sourceFiles);
  if (target?.kind === 'link') await openLink(target.href);
  // `vscode.open` uses the default editor for the file's type.
  else if (target) await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(target.uri, true));
}

/** Finds the newest document of the conversation that was uploaded from the file of a source. */
export function findSourceDocument(
  conversation: Conversation | undefined,
  turnId: string,
  index: number,
): DocumentTurn | undefined {
  const reply = findReply(conversation, turnId);
  const source = reply?.sources?.[index];
  const file = reply?.sourceFiles?.find(({ id }) => id === source?.id);
  const turn = conversation?.turns.findLast(
    (each) => each.kind === 'document' && each.state === 'attached' && each.uri === file?.uri,
  );
  return file && turn?.kind === 'document' ? turn : undefined;
}
