import type { LogOutputChannel } from 'vscode';
import { Capabilities } from '../../chat/remote/capabilities';
import type { Service } from '../../chat/remote/service';
import { type RequestLogEntry, ServiceClient } from '../../client/serviceClient';
import { ServiceError } from '../../client/serviceError';
import { logRequest } from '../base/log';
import { getBaseUrl } from '../base/settings';
import type { ApiKeys } from './apiKeys';
import type { Quota } from './quota';
import type { Reachability } from './reachability';
import type { ServiceFetch } from './serviceFetch';

/**
 * Creates `connect`, which returns the service from the current settings: the same object until the setting
 * changes. `connect` throws ServiceError if no service URL is set.
 */
export function createConnect(
  keys: ApiKeys,
  quota: Quota,
  reachability: Reachability,
  log: LogOutputChannel,
  serviceFetch: ServiceFetch,
): () => Service {
  let service: Service | undefined;
  return () => {
    const base = getBaseUrl();
    if (!base)
      throw new ServiceError('keyMissing', {
        operation: 'connect',
        message: 'No service URL is set',
        maySend: true,
      });
    if (service?.baseUrl === base.url) return service;
    const onRequest = (entry: RequestLogEntry) => {
      logRequest(log, entry);
      quota.record(base.url, entry);
      reachability.record(base.url, entry);
    };
    const client = createClient(base.url, () => keys.get(base.origin), onRequest, serviceFetch);
    service = { baseUrl: base.url, client, capabilities: new Capabilities() };
    return service;
  };
}

export function createClient(
  url: string,
  apiKey: () => Promise<string | undefined>,
  onRequest: (entry: RequestLogEntry) => void,
  serviceFetch: ServiceFetch,
): ServiceClient {
  return new ServiceClient({
    baseUrl: url,
    apiKey,
    fetch: serviceFetch.create(url),
    onRequest,
  });
}
