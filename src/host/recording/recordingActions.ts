import * as vscode from 'vscode';
import { ExchangeObserver } from '../../client/recording/exchangeObserver';
import { redactRecording } from '../../client/recording/redactRecording';
import { pickSome, showInformation } from '../base/dialogs';
import { toInertLabel, toInertText } from '../base/inertText';
import { setStatusItem } from '../base/inertUi';
import { formatCount, joinSentences, plural } from '../base/localizedText';
import { Command } from '../base/names';
import type { ApiKeys } from '../service/apiKeys';
import type { ServiceFetch } from '../service/serviceFetch';

const { t } = vscode.l10n;

const MAX_DURATION_MS = 10 * 60 * 1000;

/** Records what the service answers, and lets the user look at the recording before it is saved. */
export class RecordingActions implements vscode.Disposable {
  readonly #keys: Pick<ApiKeys, 'get'>;
  readonly #fetch: Pick<ServiceFetch, 'setObserver'>;
  readonly #maxDurationMs: number;
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
   * Asks whether to keep texts, records until the user stops it, and opens the recording as a file that isn't saved.
   * Stops a recording that is running.
   */
  async record(): Promise<void> {
    if (this.#stop) {
      this.#stop();
      return;
    }
    const keepTexts: vscode.QuickPickItem = {
      label: t('Keep message text and names'),
      detail: t(
        'Otherwise, each of their characters is replaced with “x”. The API key, host names, and signatures are never kept.',
      ),
    };
    const picked = await pickSome([keepTexts], {
      title: t('Record Service Answers'),
      placeHolder: t(
        'Select OK to record Parley’s requests and the service’s answers for the next few minutes',
      ),
      ignoreFocusOut: true,
    });
    // Another call may have started one in the meantime.
    if (!picked || this.#stop || this.#isDisposed) return;
    const observer = await this.#observe();
    if (this.#isDisposed) return;
    const { length } = observer.exchanges;
    if (length === 0) {
      void showInformation(t('Parley sent no requests during the recording, so there is nothing to save.'));
      return;
    }
    const content = await this.#createText(observer, picked.length > 0);
    // Untitled: VS Code asks where to save it, or whether to discard it when it is closed.
    const document = await vscode.workspace.openTextDocument({ content, language: 'json' });
    await vscode.window.showTextDocument(document, { preview: false });
    void showInformation(
      joinSentences(
        plural(length, 'Recorded {0} request.', 'Recorded {0} requests.'),
        t('Review the recording before you save it. Nothing has been saved or sent yet.'),
      ),
    );
  }

  /** Ends a running recording, which is discarded. */
  dispose(): void {
    this.#isDisposed = true;
    this.#stop?.();
  }

  /** Observes requests until the user stops it, the time is up, or there is no room for more. */
  #observe(): Promise<ExchangeObserver> {
    return new Promise((resolve) => {
      const item = createStatusItem();
      const stop = (): void => {
        clearTimeout(timer);
        item.dispose();
        this.#fetch.setObserver(undefined);
        this.#stop = undefined;
        observer.stop();
        resolve(observer);
      };
      const observer = new ExchangeObserver((count) => showCount(item, count), stop);
      const timer = setTimeout(stop, this.#maxDurationMs);
      this.#fetch.setObserver((fetch, baseUrl) => observer.observe(fetch, baseUrl));
      this.#stop = stop;
    });
  }

  async #createText({ exchanges, keys, startedAt }: ExchangeObserver, keepsTexts: boolean): Promise<string> {
    // An upload alone is sent without the key.
    const origins = new Set(exchanges.map(({ baseUrl }) => new URL(baseUrl).origin));
    const stored = await Promise.all([...origins].map((origin) => this.#keys.get(origin)));
    const allKeys = [...keys, ...stored.flatMap((key) => key?.trim() || [])];
    const recording = redactRecording(exchanges, { startedAt, keys: allKeys, keepsTexts });
    return `${JSON.stringify(recording, undefined, 2)}\n`;
  }
}

/**
 * Creates the item that shows a running recording, and stops it. A progress notification would cover the panel's text
 * box all the while.
 */
function createStatusItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('parley.recording', vscode.StatusBarAlignment.Right);
  item.name = t('Record Service Answers');
  item.command = Command.recordAnswers;
  item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
  showCount(item, 0);
  item.show();
  return item;
}

function showCount(item: vscode.StatusBarItem, count: number): void {
  const tooltip = toInertText(
    joinSentences(
      t('Parley is recording service answers: {0} so far.', formatCount(count)),
      t('Select to stop and review the recording.'),
    ),
  );
  setStatusItem(item, 'record', toInertLabel(t('Recording: {0}', formatCount(count))), tooltip);
  item.accessibilityInformation = { label: tooltip, role: 'button' };
}
