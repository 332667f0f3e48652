import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../../service/localService';
import { lazy } from '../../support/lazy';
import { atProcessEnd } from '../../support/processEnd';
import { runAll } from '../../support/repetition';
import { onTestFailure } from '../../support/testFailure';
import { Person } from './person';
import { type ExtensionHost, patience, Workbench, type WorkbenchOptions } from './workbench';

type Files = NonNullable<WorkbenchOptions['workspaceFiles']>;

interface SuiteOptions extends Omit<WorkbenchOptions, 'webWorkerHost' | 'workspaceFiles'> {
  /** The folder that is open, or what makes it, after the hooks of the suites around this one. */
  readonly workspaceFiles?: Files | (() => Files);
  /** The bot that a person has set up before the first test; without one, neither key nor bot is set. */
  readonly bot?: 'Echo' | 'Guide';
  /**
   * Where Parley runs: Node, unless told. `both`: in each. `either`: in Node's host, and in `npm run test:all` in the web worker's
   * as well, because the hosts don't differ in what is tested.
   */
  readonly host?: ExtensionHost | 'both' | 'either';
  /** Uses a VS Code, a profile and a service that no other suite has: for tests that change more than a window and its storage. */
  readonly isolated?: boolean;
  /** How the service differs from the usual one; it is this suite's own then. */
  readonly service?: LocalServiceOptions;
  /** Leaves `parley.baseUrl` unset. */
  readonly noBaseUrl?: boolean;
}

/** What the tests of a suite use. It is there once the suite's hooks have run. */
interface Suite {
  readonly workbench: Workbench;
  readonly service: LocalService;
  readonly person: Person;
  readonly host: ExtensionHost;
}

interface OpenSuite extends Omit<Suite, 'host'> {
  close(): Promise<void>;
}

/** Describes tests in a window of a real VS Code, with a new folder and empty storage, and a local service. */
export function describeInWorkbench(
  title: string,
  options: SuiteOptions,
  body: (suite: Suite) => void,
): void {
  for (const host of listHosts(options.host ?? 'Node')) {
    describe(`${title}, extension host: ${host}`, function () {
      // Each step of a person has a shorter limit of its own.
      this.timeout(6 * patience);
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
      // Behind the suite's own, which may still need what these end.
      afterEach(async function () {
        const hasFailed = this.currentTest?.state === 'failed';
        forgetRequests(getOpen().service, hasFailed);
        // The next test would fail as well.
        if (hasFailed) await getOpen().workbench.dismissBoxes();
      });
      after(async () => {
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
      ? await startLocalService(serviceOptions)
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

/** Forgets what one test left to the next; fails where a passed test left a script or a fault unused. */
function forgetRequests(service: LocalService, hasFailed: boolean): void {
  lastRequests = [...service.requests];
  try {
    service.reset();
  } catch (error) {
    if (!hasFailed) throw error;
  }
}

/** Those of the test that ran last: what explains its failure is kept after they are forgotten. */
let lastRequests: readonly unknown[] = [];

/** What suites of this process share. */
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
  const service = await startLocalService();
  shared.service = service;
  atProcessEnd(() => service.close());
  return service;
}
