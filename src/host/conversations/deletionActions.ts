import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import type { Conversation } from '../../chat/model/conversation';
import { sleep } from '../../client/sleep';
import { confirm, showError, showInformation } from '../base/dialogs';
import { plural } from '../base/localizedText';
import { reportFailures } from './reportFailures';

const { t } = vscode.l10n;

/** Time in which a deletion can be undone. */
const UNDO_MS = 10_000;

type Deleted = Pick<Conversation, 'id' | 'name' | 'remote'>;

/** Numbers of conversations by where they are, besides here. */
interface RemoteCounts {
  readonly onService: number;
  /** On a service that isn't the current one, which can't be told. */
  readonly onOtherService: number;
}

/** Deletes conversations here and on the service, unless the user undoes it. */
export class DeletionActions {
  readonly #services: ChatServices;
  readonly #stop: (id: string) => Promise<void>;
  /** Confirmed deletions that aren't done yet. */
  readonly #deletions = new Set<{ readonly undoTime: AbortController; readonly done: Promise<void> }>();
  readonly #undoMs: number;

  /** `stop` stops the reply of a conversation that is about to be deleted. */
  constructor(services: ChatServices, stop: (id: string) => Promise<void>, undoMs = UNDO_MS) {
    this.#services = services;
    this.#stop = stop;
    this.#undoMs = undoMs;
  }

  /**
   * Asks for confirmation, hides the conversations, and deletes them on the service once it can't be undone any
   * more. `onAnswered` is called when the question is answered.
   */
  async delete(ids: readonly string[], onAnswered?: () => void): Promise<void> {
    const { chat } = this.#services;
    await chat.load();
    const conversations = [...new Set(ids)].flatMap((id) => {
      const summary = chat.getSummary(id);
      return summary ? [this.#addPlace({ id, name: summary.name })] : [];
    });
    if (conversations.length === 0) return;
    const remove = t('Delete');
    const question = formatQuestion(conversations, this.#countRemote(conversations));
    const answer = await confirm(...question, remove);
    onAnswered?.();
    if (answer !== remove) return;
    const undoTime = new AbortController();
    const deletion = { undoTime, done: this.#deleteUnlessUndone(conversations, undoTime.signal) };
    this.#deletions.add(deletion);
    await deletion.done.finally(() => this.#deletions.delete(deletion));
  }

  /** Ends the time for undo when the window closes; resolves when the deletions on the service are done. */
  async dispose(): Promise<void> {
    const deletions = [...this.#deletions];
    for (const { undoTime } of deletions) undoTime.abort();
    // The callers of `delete` get its errors.
    await Promise.allSettled(deletions.map(({ done }) => done));
  }

  /** Returns the conversation with where it is on a service, which a first message may have changed. */
  #addPlace({ id, name }: Deleted): Deleted {
    const remote = this.#services.chat.getRemotePlace(id);
    return { id, name, ...(remote && { remote }) };
  }

  #countRemote(conversations: readonly Deleted[]): RemoteCounts {
    const remote = conversations.flatMap(({ remote }) => (remote && !remote.gone ? [remote] : []));
    const onService = remote.filter((place) => this.#services.remote.findService(place)).length;
    return { onService, onOtherService: remote.length - onService };
  }

  /** Hides all conversations that no other deletion hides, or none. Throws file system errors. */
  async #hide(conversations: readonly Deleted[]): Promise<readonly Deleted[]> {
    const { chat } = this.#services;
    const hidden: Deleted[] = [];
    try {
      for (const conversation of conversations) {
        await this.#stop(conversation.id);
        const located = this.#addPlace(conversation);
        if (await chat.deleteConversation(conversation.id)) hidden.push(located);
      }
      return hidden;
    } catch (error) {
      await this.#restore(hidden);
      throw error;
    }
  }

  /** Lists hidden conversations again. */
  async #restore(conversations: readonly Deleted[]): Promise<void> {
    const { chat } = this.#services;
    const failed: Deleted[] = [];
    for (const conversation of conversations) {
      try {
        if (!(await chat.undelete(conversation.id))) void showError(t('The conversation was deleted.'));
      } catch (error) {
        chat.reportError(error);
        failed.push(conversation);
      }
    }
    if (failed.length > 0) void showError(formatNotRestored(failed));
  }

  async #deleteUnlessUndone(confirmed: readonly Deleted[], signal: AbortSignal): Promise<void> {
    const conversations = await this.#hide(confirmed);
    if (conversations.length === 0) return;
    const undo = t('Undo');
    const choice = await Promise.race([
      showInformation(formatDone(conversations), undo),
      sleep(this.#undoMs, signal).catch(() => undefined),
    ]);
    const kept = choice === undo ? conversations : await this.#deleteOnService(conversations, signal);
    await this.#restore(kept);
  }

  /** Returns those that the service didn't delete. */
  async #deleteOnService(
    conversations: readonly Deleted[],
    signal: AbortSignal,
  ): Promise<readonly Deleted[]> {
    const { chat, remote } = this.#services;
    let remaining = conversations;
    await reportFailures(
      () => formatFailed(remaining),
      async () => {
        const failed: Deleted[] = [];
        let firstError: unknown;
        for (const conversation of remaining) {
          try {
            // Another window may have created it on the service just before it was hidden, or may have completed the deletion.
            const stored = await chat.readDeleted(conversation.id);
            if (stored) await remote.delete(stored.remote ? stored : conversation);
          } catch (error) {
            firstError ??= error;
            failed.push(conversation);
          }
        }
        remaining = failed;
        if (failed.length > 0) throw firstError;
      },
      signal,
    );
    for (const conversation of conversations) {
      // What can't be removed now is removed at the next start.
      if (!remaining.includes(conversation)) await chat.purge(conversation.id).catch(chat.reportError);
    }
    return remaining;
  }
}

/** Returns the question and its details. */
function formatQuestion(
  conversations: readonly Deleted[],
  { onService, onOtherService }: RemoteCounts,
): [string, string[]] {
  const [first] = conversations;
  const count = conversations.length;
  if (count === 1) {
    const details = [
      ...(onService > 0 ? [t('It will be deleted here and on the service.')] : []),
      ...(onOtherService > 0 ? [t('It will be deleted here, but it stays on another service.')] : []),
    ];
    return [t('Delete “{0}”?', first?.name ?? ''), details];
  }
  const details = [
    ...(onService > 0 ? [t('They will be deleted here and on the service.')] : []),
    ...(onOtherService > 0
      ? [
          plural(
            onOtherService,
            '{0} will be deleted here, but stays on another service.',
            '{0} will be deleted here, but stay on another service.',
          ),
        ]
      : []),
  ];
  return [plural(count, 'Delete {0} conversation?', 'Delete {0} conversations?'), details];
}

function formatDone(conversations: readonly Deleted[]): string {
  const [first] = conversations;
  return conversations.length === 1
    ? t('Deleted “{0}”.', first?.name ?? '')
    : plural(conversations.length, 'Deleted {0} conversation.', 'Deleted {0} conversations.');
}

function formatFailed(conversations: readonly Deleted[]): string {
  const [first] = conversations;
  return conversations.length === 1
    ? t('Couldn’t delete “{0}”.', first?.name ?? '')
    : plural(conversations.length, 'Couldn’t delete {0} conversation.', 'Couldn’t delete {0} conversations.');
}

function formatNotRestored(conversations: readonly Deleted[]): string {
  const [first] = conversations;
  return conversations.length === 1
    ? t('Couldn’t restore “{0}”. Parley tries again when the window is reloaded.', first?.name ?? '')
    : plural(
        conversations.length,
        'Couldn’t restore {0} conversation. Parley tries again when the window is reloaded.',
        'Couldn’t restore {0} conversations. Parley tries again when the window is reloaded.',
      );
}
