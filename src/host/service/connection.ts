import type { LogOutputChannel } from 'vscode';
import { Capabilities } from '../../chat/remote/capabilities';
import type { Connect, Service } from '../../chat/remote/service';
import { type RequestLogEntry, ServiceClient } from '../../client/serviceClient';
import { ServiceError } from '../../client/serviceError';
import { logRequest } from '../base/log';
import type { ApiKeys } from './apiKeys';
import type { Quota } from './quota';
import type { Reachability } from './reachability';
import type { ServiceFetch } from './serviceFetch';
import type { ServiceList } from './serviceList';

/** Creates `connect`. Each service has a client of its own, with its rate limit, and its capabilities. */
export function createConnect(
  serviceList: ServiceList,
  keys: ApiKeys,
  quota: Quota,
  reachability: Reachability,
  log: LogOutputChannel,
  serviceFetch: ServiceFetch,
): Connect {
  const connected = new Map<string, Service>();
  serviceList.onDidChange(() => {
    for (const baseUrl of connected.keys()) if (!serviceList.find(baseUrl)) connected.delete(baseUrl);
  });
  return (wanted) => {
    const found = serviceList.find(wanted);
    if (!found) throw createMissingError(serviceList.all.length === 0 && wanted === undefined);
    const { baseUrl, origin } = found;
    const known = connected.get(baseUrl);
    if (known) return known;
    const onRequest = (entry: RequestLogEntry) => {
      logRequest(log, entry);
      quota.record(baseUrl, entry);
      reachability.record(baseUrl, entry);
    };
    const client = createClient(baseUrl, () => keys.get(origin), onRequest, serviceFetch);
    const service = { baseUrl, client, capabilities: new Capabilities() };
    connected.set(baseUrl, service);
    return service;
  };
}

function createMissingError(isNoneSet: boolean): ServiceError {
  const details = { operation: 'connect', maySend: true };
  return isNoneSet
    ? new ServiceError('keyMissing', { ...details, message: 'No service URL is set' })
    : new ServiceError('serviceMissing', { ...details, message: 'The service is not set up' });
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
