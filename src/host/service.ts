import type { LogOutputChannel } from 'vscode';
import { platform } from '#platform';
import type { Service } from '../chat/service';
import { ServiceClient } from '../client/serviceClient';
import { ServiceError } from '../client/serviceError';
import type { ApiKeys } from './apiKeys';
import { logRequest } from './log';
import { baseUrl } from './settings';

/** The service as the settings name it now; throws ServiceError where none is set. */
export function connectService(keys: ApiKeys, log: LogOutputChannel): Service {
  const base = baseUrl();
  if (!base)
    throw new ServiceError('keyMissing', {
      operation: 'connect',
      message: 'No service URL is set',
      maySend: true,
    });
  return { baseUrl: base.url, client: createClient(base.url, () => keys.get(base.origin), log) };
}

export function createClient(
  url: string,
  apiKey: () => Promise<string | undefined>,
  log: LogOutputChannel,
): ServiceClient {
  return new ServiceClient({
    baseUrl: url,
    apiKey,
    fetch: platform.fetch,
    onRequest: (entry) => logRequest(log, entry),
  });
}
