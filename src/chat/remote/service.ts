import type { ServiceClient } from '../../client/serviceClient';
import type { Capabilities } from './capabilities';

/** The service at the moment of a request: the base URL may have changed since the last one, and with it all of this. */
export interface Service {
  readonly baseUrl: string;
  readonly client: ServiceClient;
  readonly capabilities: Capabilities;
}
