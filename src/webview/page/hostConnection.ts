import type { Bootstrap } from '../../shared/bootstrap';
import type { Change, CodeAction, ToHost, ToPage } from '../../shared/protocol';
import type { PanelState, SearchHit, ServiceConversation } from '../../shared/viewModel';
import { isHostMessage } from './messageSchemas';

/** A draft that may not have reached the host, and the last one that did. */
export interface SavedDraft {
  readonly text: string;
  readonly base: string;
  /** The last message when the draft was typed. VS Code may restore an old state: after a newer message it is outdated. */
  readonly after?: string;
  /** The text is a past message being edited; `base` is the draft to return to. */
  readonly editing?: true;
}

interface SavedState {
  /** The conversation shown; the host reads it when it restores an editor tab. */
  readonly conversationId?: string;
  readonly drafts?: Readonly<Record<string, SavedDraft>>;
}

export interface HostEvents {
  snapshot(state: PanelState): void;
  /** The changes of one delta; none since the snapshot is missing. */
  changes(changes: readonly Change[]): void;
  focusComposer(): void;
  focusTranscript(): void;
  /** Moves the focus to the next (1) or previous (-1) turn. */
  stepTurn(step: 1 | -1): void;
  existingPaths(paths: readonly string[]): void;
  codeAction(action: CodeAction): void;
  copySelection(): void;
  showList(): void;
  showDocuments(): void;
  uploadTaken(uploadId: string, accepted: boolean): void;
  searchResults(query: string, hits: readonly SearchHit[], done: boolean): void;
  serviceConversations(keyword: string, conversations: readonly ServiceConversation[]): void;
}

/** The page's connection to the extension host. */
export class HostConnection {
  readonly #bootstrap = takeBootstrap();
  readonly #api = this.#bootstrap.api;
  /** Sequence number of the last message; undefined while waiting for a snapshot. */
  #seq: number | undefined;

  /** Passes on the host's messages since `ready`, in order and without gaps. */
  connect(events: HostEvents): void {
    const { keep, messages } = this.#bootstrap;
    window.removeEventListener('message', keep);
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#validate(data, events));
    for (const data of messages) this.#validate(data, events);
  }

  post(message: ToHost): void {
    this.#api.postMessage(message);
  }

  /** Returns the saved draft, which survives a window reload even if it never reached the host. */
  getSavedDraft(conversationId: string): SavedDraft | undefined {
    return this.#api.getState()?.drafts?.[conversationId];
  }

  saveDraft(conversationId: string, draft: SavedDraft | undefined): void {
    const state = this.#api.getState();
    const { [conversationId]: _, ...others } = state?.drafts ?? {};
    this.#api.setState({ ...state, drafts: draft ? { ...others, [conversationId]: draft } : others });
  }

  saveConversationId(conversationId: string): void {
    this.#api.setState({ ...this.#api.getState(), conversationId });
  }

  #validate(data: unknown, events: HostEvents): void {
    if (isHostMessage(data)) this.#receive(data, events);
    else console.warn('Ignored an unknown message from the host.');
  }

  #receive(message: ToPage, events: HostEvents): void {
    switch (message.type) {
      case 'snapshot':
        this.#seq = message.seq;
        events.snapshot(message.state);
        break;
      case 'delta':
        // Deltas posted before the requested snapshot are already part of it.
        if (this.#seq === undefined || message.seq <= this.#seq) return;
        if (message.seq === this.#seq + 1) {
          this.#seq = message.seq;
          events.changes(message.changes);
        } else {
          this.#seq = undefined;
          this.post({ type: 'ready' });
        }
        break;
      case 'focusComposer':
        events.focusComposer();
        break;
      case 'focusTranscript':
        events.focusTranscript();
        break;
      case 'previousTurn':
        events.stepTurn(-1);
        break;
      case 'nextTurn':
        events.stepTurn(1);
        break;
      case 'existingPaths':
        events.existingPaths(message.paths);
        break;
      case 'codeAction':
        events.codeAction(message.action);
        break;
      case 'copySelection':
        events.copySelection();
        break;
      case 'showList':
        events.showList();
        break;
      case 'showDocuments':
        events.showDocuments();
        break;
      case 'uploadTaken':
        events.uploadTaken(message.uploadId, message.accepted);
        break;
      case 'searchResults':
        events.searchResults(message.query, message.hits, message.done);
        break;
      case 'serviceConversations':
        events.serviceConversations(message.keyword, message.conversations);
    }
  }
}

/** Takes what the inline script left behind. From here on nothing else on the page can post to the host. */
function takeBootstrap(): Bootstrap<SavedState> {
  const bootstrap = globalThis.parleyBootstrap;
  if (!bootstrap) throw new Error('The bootstrap script has not run.');
  Reflect.deleteProperty(globalThis, 'parleyBootstrap');
  return bootstrap as Bootstrap<SavedState>;
}
