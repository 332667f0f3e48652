import type { ConversionResult, ServiceDocument } from './records';
import type { ServiceState } from './state';

/**
 * Lets a test decide when a document is listed and converted, if the configured times are Infinity or too
 * long.
 */
export interface Conversions {
  /** The documents that are being converted, oldest first, listed or not. */
  readonly pending: readonly ServiceDocument[];
  /** Lists a document, by id or name, as `syncing`. */
  list(document: string): void;
  /**
   * Ends a conversion by the document's id or name (the oldest one with that name) and lists the document.
   */
  finish(document: string, result?: ConversionResult): void;
  /** Lists all documents that are being converted. */
  listAll(): void;
  /** Ends all conversions that are under way, and lists their documents. */
  finishAll(): void;
}

export function isListed(state: ServiceState, { listedAt }: ServiceDocument): boolean {
  return state.now() >= listedAt;
}

export function isConverted(state: ServiceState, { convertedAt }: ServiceDocument): boolean {
  return state.now() >= convertedAt;
}

export function countConversions(state: ServiceState): number {
  return findPending(state).length;
}

export function createConversions(state: ServiceState): Conversions {
  const find = (idOrName: string): ServiceDocument => {
    const found = findPending(state).find(({ id, name }) => id === idOrName || name === idOrName);
    if (!found) throw new Error(`No document “${idOrName}” is being converted.`);
    return found;
  };
  const end = (document: ServiceDocument, result: ConversionResult) => {
    Object.assign(document, { listedAt: 0, convertedAt: 0, result });
  };
  return {
    get pending() {
      return findPending(state);
    },
    list(document) {
      find(document).listedAt = 0;
    },
    finish(document, result = 'synced') {
      end(find(document), result);
    },
    listAll() {
      for (const document of findPending(state)) document.listedAt = 0;
    },
    finishAll() {
      for (const document of findPending(state)) end(document, 'synced');
    },
  };
}

function findPending(state: ServiceState): ServiceDocument[] {
  return [...state.documents.values()].filter((document) => !isConverted(state, document));
}
