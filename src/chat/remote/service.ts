import type { ServiceClient } from '../../client/serviceClient';
import type { Capabilities } from './capabilities';

/** The service for one request: everything may be replaced when the base URL changes. */
export interface Service {
  readonly baseUrl: string;
  readonly client: ServiceClient;
  readonly capabilities: Capabilities;
}
