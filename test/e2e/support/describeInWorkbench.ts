import { type LocalService, type LocalServiceOptions, startLocalService } from '../../service/localService';
import { lazy } from '../../support/lazy';
import { atProcessEnd } from '../../support/processEnd';
import { runAll } from '../../support/repetition';
import { onTestFailure } from '../../support/testFailure';
import type { Person } from './person';
import { type ExtensionHost, patience, type Workbench, type WorkbenchOptions } from './workbench';

interface SuiteOptions extends Omit<WorkbenchOptions, 'webWorkerHost'> {
  /** The bot that a person has set up before the first test; without one, neither key nor bot is set. */
  readonly bot?: 'Echo' | 'Guide';
  /**
   * Where Parley runs: Node, unless told. `both`: in each. `either`: in Node's host, and in `npm run test:all` in the web worker's
   * as well, because the hosts don't differ in what is tested.
   */
  readonly host?: ExtensionHost | 'both' | 'either';
  /** Uses a VS Code, a profile and a service that no other suite has: where tests change more than a window and its storage. */
  readonly isolated?: boolean;
  /** How the service differs from the usual one. It is then this suite's own. */
  readonly service?: LocalServiceOptions;
  /** Leaves `parley.baseUrl` unset. */
  readonly noBaseUrl?: boolean;
}

interface Suite {
  readonly workbench: Workbench;
  readonly service: LocalService;
  readonly person: Person;
  readonly host: ExtensionHost;
}

/** Describes tests in a window of a real VS Code, with a new folder and empty storage, and a local service. */
export function describeInWorkbench(
  title: string,
  options: SuiteOptions,
  body: (suite: Suite) => void,
): void {
  for (const host of listHosts(options.host ?? 'Node')) {
    describe(`${title}, extension host: ${host}`, function () {
      // Steps of a person have their own, shorter limits.
      this.timeout(6 * patience);
      let open: OpenSuite | undefined;
      const opened = () => {
        if (!open) throw new Error('The window opens in a hook, before the tests.');
        return open;
      };
      before(async () => {
        open = await openSuite(options, host);
      });
      afterEach(() => opened().service.reset({ keepRecords: true }));
      after(async () => {
        await open?.close();
      });
      body({
        workbench: lazy(() => opened().workbench),
        service: lazy(() => opened().service),
        person: lazy(() => opened().person),
        host,
      });
    });
  }
}
