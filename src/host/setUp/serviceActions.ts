import * as vscode from 'vscode';
import { type Conversation, findBaseUrl } from '../../chat/model/conversation';
import { parseBaseUrl } from '../../client/baseUrl';
import type { Bot } from '../../shared/view/viewModel';
import { confirm, pickOne, showInformation, showInputBox, showWarning } from '../base/dialogs';
import { setDefaultBotId } from '../base/settings';
import type { Panel } from '../panel/panel';
import type { ApiKeys } from '../service/apiKeys';
import { pickBaseUrl } from '../service/baseUrlPicker';
import { pickBot } from '../service/botPicker';
import type { Bots } from '../service/bots';
import {
  type ConfiguredService,
  MAX_SERVICE_NAME,
  MAX_SERVICES,
  type ServiceList,
  toServiceName,
} from '../service/serviceList';
import { pickService } from '../service/servicePicker';
import type { SetupGuide } from '../service/setupGuide';
import { parseSetUpLink, type SetUpProposal } from './setUpLink';
import { copySetUpLink, formatSetUpProblem } from './setUpLinkText';

const { t } = vscode.l10n;

interface Services {
  readonly serviceList: ServiceList;
  readonly keys: ApiKeys;
  readonly bots: Bots;
  readonly setup: Pick<SetupGuide, 'checkSetup' | 'hasKey' | 'askApiKey' | 'clearApiKey'>;
  readonly panel: Pick<Panel, 'openNew' | 'adoptDefaultBot'>;
}

/** Adds, changes and removes services. */
export class ServiceActions {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Asks for the key of a service. */
  async setApiKey(): Promise<void> {
    const { setup, serviceList } = this.#services;
    if (serviceList.all.length < 2) {
      await setup.askApiKey();
      return;
    }
    const service = await pickService(this.#services.serviceList, t('Set API Key'));
    if (service) await setup.askApiKey(service.baseUrl);
  }

  async clearApiKey(): Promise<void> {
    const service = await pickService(this.#services.serviceList, t('Clear API Key'));
    if (service) await this.#services.setup.clearApiKey(service.baseUrl);
  }

  /** Asks for a service's URL, name, key and bot; resolves to whether it was added. */
  async add(): Promise<boolean> {
    const { serviceList } = this.#services;
    if (!this.#hasRoom()) return false;
    const baseUrl = await pickBaseUrl(t('Add Service'), '');
    if (baseUrl === undefined) return false;
    const known = serviceList.find(baseUrl);
    if (known) {
      void showInformation(t('{0} is already one of your services.', known.name));
      return false;
    }
    const name = await askName(t('Add Service'), toServiceName('', baseUrl));
    if (name === undefined) return false;
    await this.#add({ baseUrl, name });
    await this.#complete(baseUrl, undefined);
    // An empty conversation that is shown gets the bot of the very first service.
    if (serviceList.first?.baseUrl === baseUrl) await this.#services.panel.adoptDefaultBot();
    return true;
  }

  /** Adds the service that a conversation belongs to again, after a confirmation. */
  async addServiceOf(conversation: Conversation | undefined): Promise<void> {
    const parsed = parseBaseUrl(findBaseUrl(conversation) ?? '');
    if (!parsed.ok || this.#services.serviceList.find(parsed.url) || !this.#hasRoom()) return;
    const proposal = { baseUrl: parsed.url };
    if (!(await this.#confirm(proposal))) return;
    await this.#add(proposal);
    const { setup } = this.#services;
    const service = this.#services.serviceList.find(parsed.url);
    await setup.checkSetup();
    if (service && !setup.hasKey(service)) await setup.askApiKey(service.baseUrl);
  }

  /**
   * Handles a set-up link: says why it is refused, or asks as `offer` does. Resolves to whether the user agreed.
   */
  async connect(query: string, fragment = ''): Promise<boolean> {
    const link = parseSetUpLink(query, fragment);
    if (!link.ok) {
      await confirm(t('Parley can’t use this set-up link'), formatSetUpProblem(link));
      return false;
    }
    return this.offer(link.proposal);
  }

  /**
   * Asks whether to connect to a service, and only then adds it, asks for its key, and opens an empty conversation with its
   * bot. Resolves to whether the user agreed.
   */
  async offer(proposal: SetUpProposal): Promise<boolean> {
    const { serviceList, panel, setup } = this.#services;
    if (!serviceList.find(proposal.baseUrl) && !this.#hasRoom()) return false;
    await setup.checkSetup();
    if (!(await this.#confirm(proposal))) return false;
    if (!serviceList.find(proposal.baseUrl)) await this.#add(proposal);
    const bot = await this.#complete(proposal.baseUrl, proposal.botId);
    await panel.openNew(bot);
    return true;
  }

  /** Lists the services, with what can be done with each. */
  async manage(): Promise<void> {
    const { serviceList, setup } = this.#services;
    const title = t('Manage Services');
    for (;;) {
      await setup.checkSetup();
      const items = serviceList.all.map((service, at) => ({
        label: service.name,
        description: service.host,
        detail: [
          at === 0 ? t('For new conversations') : '',
          setup.hasKey(service) ? t('Has an API key') : t('No API key'),
        ]
          .filter((part) => part !== '')
          .join(' · '),
        service,
      }));
      const add = { label: t('Add Service…'), iconPath: new vscode.ThemeIcon('add') };
      const options = { title, placeHolder: t('Select a service to change'), ignoreFocusOut: true };
      const picked = await pickOne<vscode.QuickPickItem & { service?: ConfiguredService }>(
        [...items, add],
        options,
      );
      if (!picked) return;
      if (!picked.service) await this.add();
      else {
        const before = serviceList.first?.baseUrl;
        await this.#change(picked.service);
        if (serviceList.first?.baseUrl !== before) await this.#services.panel.adoptDefaultBot();
      }
    }
  }

  /** Copies a link that sets up a service for someone else, without its key. */
  async copySetUpLink(): Promise<void> {
    const service = await pickService(this.#services.serviceList, t('Copy Set-Up Link'));
    if (service) await copySetUpLink(service);
  }

  async #change(service: ConfiguredService): Promise<void> {
    const { serviceList, setup } = this.#services;
    const { all } = serviceList;
    const at = all.findIndex(({ baseUrl }) => baseUrl === service.baseUrl);
    const others = all.filter(({ baseUrl }) => baseUrl !== service.baseUrl);
    const move = (to: number) => serviceList.save([...others.slice(0, to), service, ...others.slice(to)]);
    const actions = [
      { label: t('Rename…'), run: () => this.#rename(service) },
      { label: t('Set API Key…'), run: () => setup.askApiKey(service.baseUrl) },
      ...(setup.hasKey(service)
        ? [{ label: t('Clear API Key'), run: () => setup.clearApiKey(service.baseUrl) }]
        : []),
      ...(at > 0
        ? [
            { label: t('Use for New Conversations'), run: () => move(0) },
            { label: t('Move Up'), run: () => move(at - 1) },
          ]
        : []),
      ...(at < others.length ? [{ label: t('Move Down'), run: () => move(at + 1) }] : []),
      { label: t('Copy Set-Up Link…'), run: () => copySetUpLink(service) },
      { label: t('Remove…'), run: () => this.#remove(service) },
    ];
    const options = { title: service.name, placeHolder: service.baseUrl, ignoreFocusOut: true };
    await (await pickOne(actions, options))?.run();
  }

  async #rename(service: ConfiguredService): Promise<void> {
    const { serviceList } = this.#services;
    const name = await askName(t('Rename Service'), service.name);
    if (name === undefined) return;
    await serviceList.save(
      serviceList.all.map((each) => (each.baseUrl === service.baseUrl ? { ...each, name } : each)),
    );
  }

  /** Removes a service, and its key unless another service has the same origin. */
  async #remove(service: ConfiguredService): Promise<void> {
    const { serviceList, keys, setup } = this.#services;
    const others = serviceList.all.filter(({ baseUrl }) => baseUrl !== service.baseUrl);
    const losesKey = !others.some(({ origin }) => origin === service.origin);
    const details = [
      t(
        'Its conversations stay here: you can read and export them, and continue them once you add it again.',
      ),
      ...(losesKey ? [t('Its API key is removed.')] : []),
    ];
    const remove = t('Remove');
    if ((await confirm(t('Remove {0} from your services?', service.name), details, remove)) !== remove)
      return;
    await serviceList.save(others);
    if (losesKey) await keys.clear(service.origin);
    await setup.checkSetup();
  }

  /** Asks whether to connect to a service, with its host in full. */
  async #confirm({ baseUrl, name, botId }: SetUpProposal): Promise<boolean> {
    const { serviceList, setup } = this.#services;
    const { host, origin } = new URL(baseUrl);
    const connect = t('Connect');
    const known = serviceList.find(baseUrl);
    const hasKey = setup.hasKey({ origin });
    const details = [
      t('URL: {0}', baseUrl),
      ...(name === undefined ? [] : [t('Name: {0}', name)]),
      ...(botId === undefined ? [] : [t('Bot: {0}', botId)]),
      '',
      known
        ? t('It is already one of your services.')
        : t('Parley adds it to your services. Your messages and files in its conversations go to this host.'),
      hasKey
        ? t('Your saved API key for {0} will be used.', host)
        : t('Next, Parley asks for your API key, which is sent to {0} only.', host),
      t('Nothing has been stored or sent yet. Connect only if you know this host.'),
    ];
    return (await confirm(t('Connect Parley to {0}?', host), details, connect)) === connect;
  }

  async #add({ baseUrl, name = '' }: SetUpProposal): Promise<void> {
    const { serviceList, setup } = this.#services;
    await serviceList.save([...serviceList.all, { baseUrl, name: toServiceName(name, baseUrl) }]);
    await setup.checkSetup();
  }

  /** Asks for the key of a service if it has none, and for its bot; returns the bot. */
  async #complete(baseUrl: string, botId: string | undefined): Promise<Bot | undefined> {
    const { serviceList, setup, bots } = this.#services;
    const service = serviceList.find(baseUrl);
    if (!service) return undefined;
    const hasKey = setup.hasKey(service) || (await setup.askApiKey(baseUrl));
    const proposed = botId === undefined ? undefined : bots.named(botId, baseUrl);
    // The default that the user chose stays.
    if (service.botId !== undefined) return proposed ?? bots.getDefault(baseUrl);
    const choice =
      proposed || !hasKey
        ? undefined
        : await pickBot(bots, { title: t('Choose the Bot of {0}', service.name), recent: [], baseUrl });
    const bot = proposed ?? choice?.bot;
    if (!bot) return undefined;
    if (serviceList.first?.baseUrl === baseUrl) await setDefaultBotId(bot.id);
    else await serviceList.setBotId(baseUrl, bot.id);
    await setup.checkSetup();
    return bot;
  }

  #hasRoom(): boolean {
    if (this.#services.serviceList.all.length < MAX_SERVICES) return true;
    void showWarning(t('You can have up to {0} services. Remove one first.', MAX_SERVICES));
    return false;
  }
}

/** Asks for a service's name; resolves to undefined if it was canceled. */
async function askName(title: string, value: string): Promise<string | undefined> {
  const options = { title, prompt: t('The name of the service'), value, ignoreFocusOut: true };
  const name = await showInputBox(options, (text) => {
    if (text.trim() === '') return t('Enter a name for the service.');
    return text.trim().length > MAX_SERVICE_NAME ? t('The name is too long.') : undefined;
  });
  return name?.trim() || undefined;
}
