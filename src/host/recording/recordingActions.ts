import * as vscode from 'vscode';
import { platform } from '#platform';
import { baseName } from '../../chat/uploads/uploadName';
import { ExchangeObserver } from '../../client/recording/exchangeObserver';
import { redactRecording } from '../../client/recording/redactRecording';
import { pickSome, showError, showInformation, withProgress } from '../base/dialogs';
import { getErrorMessage } from '../base/errorMessage';
import { joinSentences } from '../base/paragraph';
import { formatCount, plural } from '../base/plural';
import type { ApiKeys } from '../service/apiKeys';
import type { ServiceFetch } from '../service/serviceFetch';
import { RecordingPreview } from './recordingPreview';

const { t } = vscode.l10n;

const MAX_DURATION_MS = 10 * 60 * 1000;

/** Records what the service answers, and lets the user look at the recording before it is saved. */
export class RecordingActions implements vscode.Disposable {
  readonly #keys: Pick<ApiKeys, 'get'>;
  readonly #fetch: Pick<ServiceFetch, 'setObserver'>;
  readonly #maxDurationMs: number;
  readonly #preview = new RecordingPreview();
  #stop: (() => void) | undefined;
  #isDisposed = false;

  constructor({
    keys,
    serviceFetch,
    maxDurationMs = MAX_DURATION_MS,
  }: {
    keys: Pick<ApiKeys, 'get'>;
    serviceFetch: Pick<ServiceFetch, 'setObserver'>;
    maxDurationMs?: number;
  }) {
    this.#keys = keys;
    this.#fetch = serviceFetch;
    this.#maxDurationMs = maxDurationMs;
  }

  /**
   * Asks whether to keep texts, records until the user stops it, and shows the recording, which can be saved or
   * discarded. Stops a recording that is running.
   */
  async record(): Promise<void> {
    if (this.#stop) {
      this.#stop();
      return;
    }
    const keepTexts: vscode.QuickPickItem = {
      label: t('Keep texts and names'),
      detail: t(
        'Otherwise, each character of theirs becomes “x”. The API key, host names and signatures are never kept.',
      ),
    };
    const picked = await pickSome([keepTexts], {
      title: t('Record Service Answers'),
      placeHolder: t('Select OK to record what Parley requests in the next minutes, and the answers'),
      ignoreFocusOut: true,
    });
    // Another call may have started one meanwhile.
    if (!picked || this.#stop || this.#isDisposed) return;
    const observer = await this.#observe();
    if (this.#isDisposed) return;
    const { length } = observer.exchanges;
    if (length === 0) {
      void showInformation(t('Parley sent no requests during the recording, so there is nothing to save.'));
      return;
    }
    const text = await this.#createText(observer, picked.length > 0);
    await this.#offer(observer.startedAt, text, length);
  }

  /** Ends a running recording, which is discarded. */
  dispose(): void {
    this.#isDisposed = true;
    this.#stop?.();
    this.#preview.dispose();
  }

  /** Observes requests until the user stops it, the time is up, or there is no room for more. */
  #observe(): Thenable<ExchangeObserver> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: t('Recording service answers'),
    };
    const run = (progress: vscode.Progress<{ message: string }>, token: vscode.CancellationToken) =>
      new Promise<ExchangeObserver>((resolve) => {
        const stop = (): void => {
          clearTimeout(timer);
          cancellation.dispose();
          this.#fetch.setObserver(undefined);
          this.#stop = undefined;
          observer.stop();
          resolve(observer);
        };
        const report = (count: number): void =>
          progress.report({
            message: t('{0} so far. Select Cancel to stop and review the recording.', formatCount(count)),
          });
        const observer = new ExchangeObserver(report, stop);
        const timer = setTimeout(stop, this.#maxDurationMs);
        const cancellation = token.onCancellationRequested(stop);
        this.#fetch.setObserver((fetch, baseUrl) => observer.observe(fetch, baseUrl));
        this.#stop = stop;
        report(0);
      });
    return withProgress(options, run);
  }

  async #createText({ exchanges, keys, startedAt }: ExchangeObserver, keepsTexts: boolean): Promise<string> {
    // An upload alone is sent without the key.
    const origins = new Set(exchanges.map(({ baseUrl }) => new URL(baseUrl).origin));
    const stored = await Promise.all([...origins].map((origin) => this.#keys.get(origin)));
    const allKeys = [...keys, ...stored.flatMap((key) => key?.trim() || [])];
    const recording = redactRecording(exchanges, { startedAt, keys: allKeys, keepsTexts });
    return `${JSON.stringify(recording, undefined, 2)}\n`;
  }

  /** Shows a recording until it is saved or discarded, or until the notification is closed. */
  async #offer(startedAt: number, text: string, count: number): Promise<void> {
    const name = `parley-recording-${new Date(startedAt).toISOString().slice(0, 19).replaceAll(':', '-')}.json`;
    const uri = await this.#preview.show(name, text);
    const [save, discard] = [t('Save…'), t('Discard')];
    for (;;) {
      const choice = await showInformation(
        joinSentences(
          plural(count, 'Recorded {0} request.', 'Recorded {0} requests.'),
          t('Review the recording before you save it. Nothing has been saved or sent yet.'),
        ),
        save,
        discard,
      );
      if (choice === discard) await this.#preview.close(uri);
      if (choice !== save) return;
      const file = await saveAs(name, text);
      if (!file) continue;
      await this.#preview.close(uri);
      await vscode.window.showTextDocument(file, { preview: false });
      return;
    }
  }
}

/** Asks for a file and writes the text to it; returns undefined if the user cancels, or if it fails, which is shown. */
async function saveAs(name: string, text: string): Promise<vscode.Uri | undefined> {
  // Not in the workspace, where it might be committed.
  const folder = platform.home ?? vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const uri = await vscode.window.showSaveDialog({
    title: t('Save Recording'),
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { JSON: ['json'] },
  });
  if (!uri) return undefined;
  try {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return uri;
  } catch (error) {
    void showError(t('Couldn’t write {0}. {1}', baseName(uri.path), getErrorMessage(error)));
    return undefined;
  }
}
