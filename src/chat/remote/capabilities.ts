import { ServiceError } from '../../client/serviceError';

/** Whether the service still has what a request was about. */
export type SubjectState = 'there' | 'gone' | 'unknown';

/** What not every service supports. `document_ids`: the focus of a conversation. `usage`: the cost of replies in a list of messages. */
type Capability =
  | 'GET /bots'
  | 'GET /conversations'
  | 'GET /messages'
  | 'GET /documents'
  | 'GET /documents/{id}'
  | 'DELETE /documents/{id}'
  | 'GET /folders'
  | 'POST /folders'
  | 'document_ids'
  | 'usage';

/**
 * Remembers what a service doesn't support. Belongs to one connection: another base URL gets a new instance.
 */
export class Capabilities {
  readonly #missing = new Set<Capability>();

  /** Returns true until the service has reported that it lacks the capability. */
  has(capability: Capability): boolean {
    return !this.#missing.has(capability);
  }

  setMissing(capability: Capability): void {
    this.#missing.add(capability);
  }

  /**
   * Runs an operation that a service may lack; if so, returns undefined and remembers it. Throws any other
   * error. `checkSubject` returns whether the subject of the request exists: only then does a 404 mean a
   * missing operation.
   */
  async use<T>(
    operation: Exclude<Capability, 'document_ids' | 'usage'>,
    request: () => Promise<T>,
    checkSubject: (error: ServiceError) => Promise<SubjectState> = async () => 'there',
  ): Promise<T | undefined> {
    if (!this.has(operation)) return undefined;
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ServiceError) || !isUnsupported(error)) throw error;
      if (error.status === 404 && (await checkSubject(error)) !== 'there') throw error;
      this.setMissing(operation);
      return undefined;
    }
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
