import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { demoBots } from '../../service/demo/demoBots';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../../service/localService';
import { lazy } from '../../support/lazy';
import { atProcessEnd } from '../../support/processEnd';
import { runAll } from '../../support/repetition';
import { collectFailedHook, onTestFailure } from '../../support/testFailure';
import { Person } from './person';
import { type ExtensionHost, Workbench, type WorkbenchOptions } from './workbench';

/**
 * The key of all services: a service may get the port of an earlier one, whose key VS Code has in its
 * SecretStorage.
 */
const KEY = `parley-local-${randomBytes(6).toString('hex')}`;

type Files = NonNullable<WorkbenchOptions['workspaceFiles']>;

interface SuiteOptions extends Omit<WorkbenchOptions, 'webWorkerHost' | 'workspaceFiles'> {
  /** The open folder, or a function that creates it after the hooks of the outer suites. */
  readonly workspaceFiles?: Files | (() => Files);
  /** The bot to set up before the first test; without one, neither key nor bot is set. */
  readonly bot?: 'Echo' | 'Guide';
  /**
   * Where Parley runs; Node by default. `both`: in each host. `either`: in Node's host, and in `npm run
   * test:all` also in the web worker's, because the hosts don't differ in what is tested.
   */
  readonly host?: ExtensionHost | 'both' | 'either';
  /**
   * Uses a separate VS Code, profile and service: for tests that change more than a window and its storage.
   */
  readonly isolated?: boolean;
  /** Options of the local service, which is then not shared with other suites. */
  readonly service?: LocalServiceOptions;
  /** Leaves `parley.baseUrl` unset. */
  readonly noBaseUrl?: boolean;
}

/** The fixtures of a suite. They are available once the suite's hooks have run. */
interface Suite {
  readonly workbench: Workbench;
  readonly service: LocalService;
  readonly person: Person;
  readonly host: ExtensionHost;
}

interface OpenSuite extends Omit<Suite, 'host'> {
  close(): Promise<void>;
}

/**
 * Describes tests that run in a window of a real VS Code, with a new folder, empty storage and a local
 * service.
 */
export function describeInWorkbench(
  title: string,
  options: SuiteOptions,
  body: (suite: Suite) => void,
): void {
  for (const host of listHosts(options.host ?? 'Node')) {
    describe(`${title}, extension host: ${host}`, () => {
      let open: OpenSuite | undefined;
      const getOpen = () => {
        if (!open) throw new Error('The window is opened by a hook, before the tests.');
        return open;
      };
      before(async () => {
        open = await openSuite(options, host);
      });
      body({
        workbench: lazy(() => getOpen().workbench),
        service: lazy(() => getOpen().service),
        person: lazy(() => getOpen().person),
        host,
      });
      // Registered after the suite's own hooks, which may still need what these reset.
      afterEach(async function () {
        const hasFailed = this.currentTest?.state === 'failed';
        forgetRequests(getOpen().service, hasFailed);
        // An open box would make the next test fail as well.
        if (hasFailed) await getOpen().workbench.dismissBoxes();
      });
      after(async () => {
        await collectFailedHook();
        await open?.close();
      });
    });
  }
}

function listHosts(host: NonNullable<SuiteOptions['host']>): readonly ExtensionHost[] {
  if (host === 'both') return ['Node', 'web worker'];
  if (host === 'either') return runAll ? ['Node', 'web worker'] : ['Node'];
  return [host];
}

async function openSuite(options: SuiteOptions, host: ExtensionHost): Promise<OpenSuite> {
  const {
    bot,
    isolated = false,
    noBaseUrl = false,
    service: serviceOptions,
    workspaceFiles,
    ...window
  } = options;
  const files = typeof workspaceFiles === 'function' ? workspaceFiles() : workspaceFiles;
  const service =
    isolated || serviceOptions || bot === undefined
      ? await startLocalService({ bots: demoBots, key: KEY, ...serviceOptions })
      : await getSharedService();
  const isShared = service === shared.service;
  const settings = {
    ...(noBaseUrl ? {} : { 'parley.baseUrl': service.baseUrl }),
    // In a window that has listed the shared service's bots, a bot's id is enough.
    ...(isShared && shared.isSetUp ? { 'parley.botId': findBotId(service, bot) } : {}),
    ...window.settings,
  };
  const windowOptions: WorkbenchOptions = {
    ...window,
    settings,
    webWorkerHost: host === 'web worker',
    ...(files === undefined ? {} : { workspaceFiles: files }),
  };
  const workbench = isolated ? await Workbench.start(windowOptions) : await openShared(windowOptions);
  const person = new Person(workbench);
  if (bot !== undefined) await person.setUp(service, bot);
  if (isShared) shared.isSetUp = true;
  const stopWatching = onTestFailure((folder) =>
    writeFile(path.join(folder, 'requests.json'), JSON.stringify(lastRequests, null, 2)),
  );
  return {
    workbench,
    service,
    person,
    async close() {
      stopWatching();
      if (isolated) await workbench.stop();
      if (isShared) service.clearRecords();
      else await service.close();
    },
  };
}

function findBotId(service: LocalService, name: string | undefined): string | undefined {
  return service.bots.find((bot) => bot.name === name)?.id;
}

/** Resets what a test left in the service; fails if a test that passed left a script or a fault unused. */
function forgetRequests(service: LocalService, hasFailed: boolean): void {
  lastRequests = [...service.requests];
  try {
    service.reset();
  } catch (error) {
    if (!hasFailed) throw error;
  }
}

/** The requests of the latest test, kept because a failure is collected after they are reset. */
let lastRequests: readonly unknown[] = [];

/** Shared by the suites of this process. */
const shared: { workbench?: Workbench; service?: LocalService; isSetUp: boolean } = { isSetUp: false };

async function openShared(options: WorkbenchOptions): Promise<Workbench> {
  if (shared.workbench) {
    await shared.workbench.openFresh(options);
    return shared.workbench;
  }
  const workbench = await Workbench.start(options);
  shared.workbench = workbench;
  atProcessEnd(() => workbench.stop());
  return workbench;
}

async function getSharedService(): Promise<LocalService> {
  if (shared.service) return shared.service;
  const service = await startLocalService({ bots: demoBots, key: KEY });
  shared.service = service;
  atProcessEnd(() => service.close());
  return service;
}
