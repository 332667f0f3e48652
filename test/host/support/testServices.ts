import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createServices, type Services } from '../../../src/host/hostServices';
import { demoBots } from '../../service/demo/demoBots';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../../service/localService';
import { MemorySecrets, MemoryState } from './memory';
import { setSetting } from './setSetting';

/** All services of Parley, set up with the local service, without VS Code's UI. */
export interface TestServices {
  readonly service: LocalService;
  readonly services: Services;
  readonly secrets: MemorySecrets;
  /** Path of the extension's global storage. */
  readonly globalStorage: string;
  close(): Promise<void>;
}

/**
 * Starts a local service for all tests of a describe, and has the settings name it: VS Code takes long to change a
 * setting. Returns a function that creates the services for a test.
 */
export function useServices(options: LocalServiceOptions = {}): () => Promise<TestServices> {
  let service: LocalService;
  before(async () => {
    service = await startLocalService({ bots: demoBots, ...options });
    await setSetting('parley.baseUrl', service.baseUrl);
  });
  after(async () => {
    await service.close();
    await setSetting('parley.baseUrl', undefined);
    await setSetting('parley.botId', undefined);
  });
  return () => startServices(service);
}

async function startServices(service: LocalService): Promise<TestServices> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-services-'));
  const secrets = new MemorySecrets();
  await secrets.store(`parley.apiKey ${service.apiOrigin}`, service.key);
  await setSetting('parley.botId', 'echo');
  const { createOutputChannel } = vscode.window;
  // VS Code creates the channel with a name only once, even after it was disposed.
  const noop = () => undefined;
  const log = { info: noop, warn: noop, error: noop, show: noop, dispose: noop };
  Object.assign(vscode.window, { createOutputChannel: () => log });
  const context = {
    secrets,
    globalState: new MemoryState(),
    workspaceState: new MemoryState(),
    globalStorageUri: vscode.Uri.file(folder),
    extensionUri: vscode.extensions.getExtension('parley.parley')?.extensionUri,
  };
  const services = createServices(context as unknown as vscode.ExtensionContext);
  Object.assign(vscode.window, { createOutputChannel });
  await services.setup.checkSetup();
  return {
    service,
    services,
    secrets,
    globalStorage: folder,
    async close() {
      await services.close();
      services.dispose();
      await rm(folder, { recursive: true, force: true });
      service.reset();
      service.clearRecords();
    },
  };
}
