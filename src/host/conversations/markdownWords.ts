import * as vscode from 'vscode';
import {
  exportMarkdown,
  type MarkdownSection,
  type MarkdownWords,
  toMarkdownSections,
} from '../../chat/export/exportMarkdown';
import type { Conversation, DocumentTurn, ReplyTurn, Turn } from '../../chat/model/conversation';
import type { DocumentState } from '../../shared/viewModel';
import { formatBytes } from '../base/formatBytes';
import { paragraph } from '../base/paragraph';
import { formatFailure } from '../service/failureText';

const { t } = vscode.l10n;

/** The conversation as a Markdown document in VS Code's language. */
export function formatConversation(conversation: Conversation): string {
  return exportMarkdown(conversation, markdownWords());
}

/** The same in parts; `known` has those of turns that can't change any more. */
export function formatSections(
  conversation: Conversation,
  known: WeakMap<Turn, MarkdownSection>,
): MarkdownSection[] {
  return toMarkdownSections(conversation, markdownWords(), known);
}

function markdownWords(): MarkdownWords {
  const times = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  const time = (at: number) => times.format(at);
  return {
    untitled: t('Conversation'),
    you: t('You'),
    bot: t('Bot'),
    document: t('Document'),
    sources: t('Sources'),
    about: ({ bot, createdAt }) =>
      bot?.name ? t('With {0}, since {1}', bot.name, time(createdAt)) : t('Since {0}', time(createdAt)),
    time,
    ending,
    state,
  };
}

function ending({ ending, failure, skipped }: ReplyTurn): string | undefined {
  const sentences = {
    complete: undefined,
    stopped: t('Stopped.'),
    interrupted: t('The reply was interrupted. The part that arrived is kept.'),
    failed: t('The reply failed.'),
  };
  const text = paragraph(
    ending === undefined ? t('Still replying.') : sentences[ending],
    failure && formatFailure(failure),
    skipped && t("Parts of this reply couldn't be read and were left out."),
  );
  return text === '' ? undefined : text;
}

function state({ state, size, failure }: DocumentTurn): string {
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
