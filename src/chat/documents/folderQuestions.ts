import { ServiceError } from '../../client/serviceError';
import type { Service } from '../remote/service';

/** Knows the folders that the user chose, and asks for them. */
export interface FolderChoice {
  /** Returns the ID of the folder of a service that uploads go to; undefined if none is set or chosen. */
  getFolderId(baseUrl: string): string | undefined;
  /**
   * Asks for another folder than the refused one, which is undefined if the upload named none. Resolves to the ID, or to
   * undefined if the user chose none. The signal aborts when no upload waits for the answer any more.
   */
  chooseFolder(
    service: Service,
    refusedId: string | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined>;
}

interface FolderQuestion {
  readonly answer: Promise<string | undefined>;
  readonly controller: AbortController;
  /** Uploads waiting for the answer. */
  waiting: number;
}

/** Asks for the folder of uploads, once for all uploads that are refused at the same time. */
export class FolderQuestions {
  readonly #choice: FolderChoice;
  /** The question that is open, by the service's base URL. */
  readonly #open = new Map<string, FolderQuestion>();
  #dismissals = 0;

  constructor(choice: FolderChoice) {
    this.#choice = choice;
  }

  /** Questions dismissed by the user so far. */
  get dismissals(): number {
    return this.#dismissals;
  }

  getFolderId(baseUrl: string): string | undefined {
    return this.#choice.getFolderId(baseUrl);
  }

  /**
   * Returns the folder to use instead of a refused one: the one that was chosen since, or the user's answer. Returns
   * undefined without asking if the user has dismissed the question since there were `dismissals`. Rejects with the
   * signal's reason if it aborts.
   */
  async replaceFolder(
    service: Service,
    refusedId: string | undefined,
    dismissals: number,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    let question = this.#open.get(service.baseUrl);
    if (!question) {
      const current = this.getFolderId(service.baseUrl);
      if (current !== undefined && current !== refusedId) return current;
      if (dismissals !== this.#dismissals) return undefined;
      question = this.#ask(service, refusedId);
    }
    question.waiting++;
    try {
      return await rejectOnAbort(question.answer, signal);
    } finally {
      if (--question.waiting === 0) this.#close(service, question);
    }
  }

  #ask(service: Service, refusedId: string | undefined): FolderQuestion {
    const controller = new AbortController();
    const answer = this.#choice.chooseFolder(service, refusedId, controller.signal).then((folderId) => {
      if (folderId === undefined && !controller.signal.aborted) this.#dismissals++;
      return folderId;
    });
    const question = { answer, controller, waiting: 0 };
    this.#open.set(service.baseUrl, question);
    return question;
  }

  #close(service: Service, question: FolderQuestion): void {
    if (this.#open.get(service.baseUrl) === question) this.#open.delete(service.baseUrl);
    question.controller.abort();
  }
}

/** Returns whether the service refused an upload only because of its folder, or for lack of one. */
export function isFolderRefused(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'validation') return false;
  const names = Object.keys(error.fieldErrors ?? {});
  return names.length === 1 && names[0] === 'folder_id';
}

function rejectOnAbort<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
