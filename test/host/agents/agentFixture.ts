import * as vscode from 'vscode';
import { Sources } from '../../../src/chat/remote/replySources';
import type { AgentServices } from '../../../src/host/agents/ask';
import { setBaseUrl, setDefaultBotId } from '../../../src/host/base/settings';
import { ApiKeys } from '../../../src/host/service/apiKeys';
import { Bots } from '../../../src/host/service/bots';
import { ServiceFetch } from '../../../src/host/service/serviceFetch';
import { ServiceList } from '../../../src/host/service/serviceList';
import { SetupGuide } from '../../../src/host/service/setupGuide';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { demoBots } from '../../service/demo/demoBots';

/** The services for agents, set up with the local service, an API key, and Guide as the default bot. */
export interface AgentFixture extends ChatFixture {
  readonly services: AgentServices;
  readonly secrets: Map<string, string>;
}

export async function startAgents(): Promise<AgentFixture> {
  const fixture = await startChat({ bots: demoBots });
  await setBaseUrl(fixture.service.baseUrl);
  await setDefaultBotId('guide');
  const log = vscode.window.createOutputChannel('Parley test', { log: true });
  const secrets = new Map([[`parley.apiKey ${fixture.service.apiOrigin}`, fixture.service.key]]);
  const nothing = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  const keys = new ApiKeys({
    get: async (name) => secrets.get(name),
    store: async (name, value) => void secrets.set(name, value),
    delete: async (name) => void secrets.delete(name),
    keys: async () => [...secrets.keys()],
    onDidChange: nothing.event,
  });
  const kept = new Map<string, unknown>();
  const memory: vscode.Memento = {
    keys: () => [...kept.keys()],
    get: <T>(name: string, otherwise?: T) => (kept.get(name) ?? otherwise) as T,
    update: async (name, value) => void kept.set(name, value),
  };
  const serviceList = new ServiceList();
  const bots = new Bots(memory, fixture.connect, serviceList);
  const setup = new SetupGuide(keys, bots, log, new ServiceFetch());
  const sources = new Sources(fixture.chat, fixture.remote, fixture.connect);
  const { chat, replies } = fixture;
  return {
    ...fixture,
    secrets,
    services: { chat, replies, sources, setup, bots },
    async close() {
      sources.dispose();
      setup.dispose();
      serviceList.dispose();
      nothing.dispose();
      log.dispose();
      await fixture.close();
      await setBaseUrl('');
      await setDefaultBotId('');
    },
  };
}
