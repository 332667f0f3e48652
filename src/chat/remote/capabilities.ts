import { ServiceError } from '../../client/serviceError';

/** Whether the service still has what a request was about. */
export type SubjectState = 'there' | 'gone' | 'unknown';

/** What some services have and others lack. `document_ids`: the focus of a conversation; `usage`: what replies cost, in a list of messages. */
export type Capability =
  | 'GET /bots'
  | 'GET /conversations'
  | 'GET /messages'
  | 'GET /documents'
  | 'GET /documents/{id}'
  | 'DELETE /documents/{id}'
  | 'document_ids'
  | 'usage';

/** Knows what a service lacks, once it has said so. It belongs to one connection: another base URL starts anew. */
export class Capabilities {
  readonly #missing = new Set<Capability>();

  /** True until the service has said that it lacks this. */
  has(capability: Capability): boolean {
    return !this.#missing.has(capability);
  }

  setMissing(capability: Capability): void {
    this.#missing.add(capability);
  }

  /**
   * Uses an operation that a service may lack: undefined where it does, which is remembered. Throws whatever else goes wrong.
   * `checkSubject`: whether what the operation is about exists; only then a 404 means that the operation doesn't.
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

/** Whether an error may mean that the service lacks the operation: 404 may also mean what it is about. */
export function isUnsupported({ status, reason }: Pick<ServiceError, 'status' | 'reason'>): boolean {
  // Where another origin answered it is not the service that says so.
  return reason !== 'redirected' && (status === 404 || status === 405 || status === 501);
}
