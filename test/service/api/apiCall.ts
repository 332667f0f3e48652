import type { Exchange } from '../http/http';
import { HttpError } from '../http/http';
import type { ServiceState } from '../state';
import type { Operation } from './operations';

/** A call of an API operation, authorized and with its JSON body parsed. */
export interface ApiCall {
  readonly state: ServiceState;
  readonly exchange: Exchange;
  /** The `{id}` of the path, or ''. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * A handler's response, with status 200 by default. Undefined if the handler has answered the request itself.
 */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Route {
  readonly operation: Operation;
  readonly handle: (call: ApiCall) => Answer | undefined | Promise<Answer | undefined>;
}

/** Collects field errors and throws them together as the contract's 422. */
export class Validation {
  readonly #errors: Record<string, string[]> = {};
  readonly #body: Readonly<Record<string, unknown>>;

  constructor(body: Readonly<Record<string, unknown>>) {
    this.#body = body;
  }

  /** Returns the field as a non-blank string, or '' and records an error if it is missing. */
  requireString(field: string): string {
    const value = this.#body[field];
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
      return this.fail(field, `The ${label(field)} field is required.`);
    }
    return typeof value === 'string'
      ? value
      : this.fail(field, `The ${label(field)} field must be a string.`);
  }

  optionalString(field: string): string | undefined {
    return this.#body[field] === undefined || this.#body[field] === null
      ? undefined
      : this.requireString(field);
  }

  optionalBoolean(field: string, fallback: boolean): boolean {
    const value = this.#body[field] ?? fallback;
    if (typeof value === 'boolean') return value;
    this.fail(field, `The ${label(field)} field must be true or false.`);
    return fallback;
  }

  optionalStrings(field: string, maxItems: number): readonly string[] | undefined {
    const value = this.#body[field];
    if (value === undefined) return undefined;
    const valid =
      Array.isArray(value) && value.length <= maxItems && value.every((item) => typeof item === 'string');
    if (!valid) this.fail(field, `The ${label(field)} field must be a list of at most ${maxItems} strings.`);
    return valid ? value : undefined;
  }

  fail(field: string, message: string): '' {
    this.#errors[field] = [...(this.#errors[field] ?? []), message];
    return '';
  }

  /** Throws HttpError 422 if there are errors. */
  check(): void {
    const messages = Object.values(this.#errors).flat();
    if (messages[0] === undefined) return;
    const more = messages.length - 1;
    const message = more ? `${messages[0]} (and ${more} more error${more > 1 ? 's' : ''})` : messages[0];
    throw new HttpError(422, message, this.#errors);
  }
}

function label(field: string): string {
  return field.replaceAll('_', ' ');
}

/** Returns the record with this id. Throws HttpError 404 if there is none. */
export function findOrThrow<T>(records: ReadonlyMap<string, T>, id: string, what: string): T {
  const record = records.get(id);
  if (!record) throw new HttpError(404, `No ${what} has the id “${id}”.`);
  return record;
}

export function matchesKeyword(query: URLSearchParams, name: string): boolean {
  return name.toLowerCase().includes((query.get('keyword') ?? '').toLowerCase());
}

/**
 * Returns the query's `conversation_id`, or undefined without one or if the service ignores it. Throws
 * HttpError 404 if there is no such conversation.
 */
export function readConversationFilter({ state, query }: ApiCall, operation: Operation): string | undefined {
  const id = query.get('conversation_id');
  if (!id || state.settings.ignoresConversation.includes(operation)) return undefined;
  return findOrThrow(state.conversations, id, 'conversation').id;
}
