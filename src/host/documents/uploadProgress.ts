import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { ConfirmedFile } from '../../chat/documents/fileToUpload';
import type { UploadQueue } from '../../chat/documents/uploadQueue';
import type { DocumentTurn } from '../../chat/model/turn';
import { withProgress } from '../base/dialogs';
import { formatBytes, plural } from '../base/localizedText';

const { t } = vscode.l10n;

/** Uploads the files with a progress notification that can cancel them. Resolves to their turns. */
export async function uploadWithProgress(
  { chat, uploads }: { chat: Chat; uploads: UploadQueue },
  conversationId: string,
  files: readonly ConfirmedFile[],
): Promise<readonly DocumentTurn[]> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: formatTitle(files),
    cancellable: true,
  };
  return withProgress(options, async (progress, cancelled) => {
    const turns = new Map<string, DocumentTurn>();
    const total = files.reduce((sum, { opened }) => sum + opened.body.size, 0);
    let shown = 0;
    const listening = chat.onChatEvent((event) => {
      if (event.type !== 'turn' || event.turn.kind !== 'document') return;
      if (added && !turns.has(event.turn.id)) return;
      turns.set(event.turn.id, event.turn);
      const sent = [...turns.values()].reduce((sum, turn) => sum + turn.sent, 0);
      const percent = Math.floor((Math.min(sent, total) / Math.max(1, total)) * 100);
      const { waitsUntil } = event.turn;
      progress.report({
        message:
          waitsUntil === undefined
            ? t('{0} of {1}', formatBytes(sent), formatBytes(total))
            : t(
                'the service asked Parley to wait until {0}',
                new Date(waitsUntil).toLocaleTimeString(vscode.env.language),
              ),
        increment: percent - shown,
      });
      shown = percent;
    });
    // Until all files are added, every new document is one of them.
    let added = false;
    const all = files.map((file) => uploads.add(conversationId, file));
    added = true;
    cancelled.onCancellationRequested(() => {
      for (const { turnId } of all) uploads.cancel(turnId);
    });
    await Promise.all(all.map(({ finished }) => finished));
    listening.dispose();
    return [...turns.values()];
  });
}

function formatTitle(files: readonly ConfirmedFile[]): string {
  const [only] = files;
  if (files.length !== 1 || !only) return plural(files.length, 'Uploading {0} file', 'Uploading {0} files');
  return only.unsaved ? t('Uploading {0} with unsaved changes', only.name) : t('Uploading {0}', only.name);
}
