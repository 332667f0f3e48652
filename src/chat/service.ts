import type { ServiceClient } from '../client/serviceClient';

/** The service at the moment of a request: base URL and key may have changed since the last one. */
export interface Service {
  readonly baseUrl: string;
  readonly client: ServiceClient;
}
