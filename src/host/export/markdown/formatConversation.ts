import * as vscode from 'vscode';
import {
  type ExportWords,
  exportMarkdown,
  type MarkdownSection,
  toMarkdownSections,
} from '../../../chat/export/exportMarkdown';
import type { Conversation } from '../../../chat/model/conversation';
import type { DocumentTurn, ReplyTurn, Turn } from '../../../chat/model/turn';
import type { DocumentState } from '../../../shared/view/viewModel';
import { formatBytes, joinSentences } from '../../base/localizedText';
import { formatFailure } from '../../service/failureText';

const { t } = vscode.l10n;

/** Formats the conversation as a Markdown document in VS Code's language; `url` opens it in VS Code. */
export function formatConversation(conversation: Conversation, url?: string): string {
  return exportMarkdown(conversation, createExportWords(url));
}

/** Formats the conversation as an HTML document in VS Code's language; `url` opens it in VS Code. */
export async function formatConversationAsHtml(conversation: Conversation, url?: string): Promise<string> {
  const { exportHtml } = await import('../../../chat/export/exportHtml');
  return exportHtml(conversation, createExportWords(url), vscode.env.language);
}

/** Formats the conversation as Markdown sections; `cache` holds those of turns that can't change any more. */
export function formatSections(
  conversation: Conversation,
  cache: WeakMap<Turn, MarkdownSection>,
): MarkdownSection[] {
  return toMarkdownSections(conversation, createExportWords(), cache);
}

function createExportWords(url?: string): ExportWords {
  const times = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  const time = (at: number) => times.format(at);
  return {
    untitled: t('Conversation'),
    you: t('You'),
    bot: t('Bot'),
    document: t('Document'),
    sources: t('Sources'),
    about: ({ bot, createdAt }) =>
      bot?.name ? t('With {0}, started {1}', bot.name, time(createdAt)) : t('Started {0}', time(createdAt)),
    ...(url !== undefined && { link: { text: t('Open in VS Code'), url } }),
    time,
    ending: formatEnding,
    state: formatState,
  };
}

function formatEnding({ ending, failure, skipped }: ReplyTurn): string | undefined {
  const sentences = {
    complete: undefined,
    stopped: t('Stopped.'),
    interrupted: t('The reply was interrupted. The part that arrived is kept.'),
    failed: t('The reply failed.'),
  };
  const text = joinSentences(
    ending === undefined ? t('Still replying.') : sentences[ending],
    failure && formatFailure(failure),
    skipped && t('Parts of this reply couldn’t be read and were left out.'),
  );
  return text === '' ? undefined : text;
}

function formatState({ state, size, failure }: DocumentTurn): string {
  const sentences: Record<DocumentState, string> = {
    queued: t('Waiting'),
    signing: t('Preparing the upload'),
    uploading: t('Uploading'),
    registering: t('Adding to the conversation'),
    attached: t('Added to the conversation'),
    failed: t('Not added'),
    cancelled: t('Canceled'),
  };
  return [`${formatBytes(size)} · ${sentences[state]}`, failure && formatFailure(failure)]
    .filter(Boolean)
    .join('. ');
}
