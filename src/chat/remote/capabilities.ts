import { ServiceError } from '../../client/serviceError';

/** Whether the service still has what a request was about. */
export type SubjectState = 'there' | 'gone' | 'unknown';

/** Operations that not every service has. */
type OptionalOperation =
  | 'GET /bots'
  | 'GET /conversations'
  | 'GET /messages'
  | 'GET /messages/{id}'
  | 'GET /documents'
  | 'DELETE /documents/{id}'
  | 'GET /folders'
  | 'POST /folders';

/** Optional features of a service. `document_ids`: the focus of a conversation. */
type Capability = OptionalOperation | 'document_ids';

export interface RequestSubject {
  readonly id: string;
  /** Returns whether the service has it: only then does a 404 mean a missing operation. */
  readonly check: (error: ServiceError) => Promise<SubjectState>;
}

/**
 * Remembers what a service supports, and what it doesn't. Belongs to one connection: another base URL gets a new instance.
 */
export class Capabilities {
  /** The lists that were seen to depend on the query's `conversation_id`. */
  readonly filteredLists = new Set<'messages' | 'documents'>();
  readonly #missing = new Set<Capability>();
  readonly #proven = new Set<Capability>();
  /** By operation, the subjects for which it answered 404 although the service has them. */
  readonly #failedSubjects = new Map<Capability, Set<string>>();

  /** Returns true until the service has reported that it lacks the capability. */
  has(capability: Capability): boolean {
    return !this.#missing.has(capability);
  }

  /** Returns whether it has worked on this connection. */
  isProven(operation: OptionalOperation): boolean {
    return this.#proven.has(operation);
  }

  setMissing(capability: Capability): void {
    this.#missing.add(capability);
  }

  /**
   * Runs an operation that a service may lack; if so, returns undefined and remembers it. A 404 for one subject may mean
   * anything, so the operation counts as missing after a second subject. Throws any other error, and any error of an
   * operation that has worked before.
   */
  async use<T>(
    operation: OptionalOperation,
    request: () => Promise<T>,
    subject?: RequestSubject,
  ): Promise<T | undefined> {
    if (!this.has(operation)) return undefined;
    try {
      const result = await request();
      this.#proven.add(operation);
      return result;
    } catch (error) {
      if (!(error instanceof ServiceError) || !isUnsupported(error)) throw error;
      const doubted = error.status === 404 ? subject : undefined;
      if (doubted && (await doubted.check(error)) !== 'there') throw error;
      if (this.#proven.has(operation)) throw error;
      if (doubted) this.#addFailedSubject(operation, doubted.id);
      else this.setMissing(operation);
      return undefined;
    }
  }

  #addFailedSubject(operation: OptionalOperation, id: string): void {
    const ids = this.#failedSubjects.get(operation) ?? new Set();
    this.#failedSubjects.set(operation, ids.add(id));
    if (ids.size > 1) this.setMissing(operation);
  }
}

/**
 * Returns whether an error may mean that the service lacks the operation; a 404 may also mean a missing
 * subject.
 */
export function isUnsupported({ status, reason }: Pick<ServiceError, 'status' | 'reason'>): boolean {
  // An answer from another origin doesn't come from the service.
  return reason !== 'redirected' && (status === 404 || status === 405 || status === 501);
}
