import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { installBrowserVSCode } from './browserInstall';
import { repositoryRoot } from './cacheDir';
import { spawnGroup } from './processGroup';

export interface BrowserVSCodeOptions {
  /** Holds the user's settings and the server's data. */
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /** The folder of VS Code's own extensions, where it isn't all that VS Code brings. */
  readonly builtinExtensionsDir?: string;
  /** User settings, written over those that are there. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** 0, unless told: any free port. */
  readonly port?: number;
  /** What the page must know to connect; without one, anybody on this machine may. */
  readonly token?: string;
  /** Lets the page load an extension from source and run its tests. */
  readonly smokeTestDriver?: boolean;
  /** Environment for the server and its extension host, on top of this process's. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A VS Code whose window is a page at `url`. */
export interface BrowserVSCode {
  /** The window with nothing open, the token included; `folderUrl` opens a folder. */
  readonly url: string;
  readonly port: number;
  folderUrl(folder: string): string;
  /** Process ids of Node's extension hosts that run, one a window, the newest last. */
  extensionHosts(): Promise<number[]>;
  /** Settles when the server ends by itself or by `stop`. */
  readonly ended: Promise<unknown>;
  /** Ends the server, its extension hosts and terminals. */
  stop(): Promise<void>;
}

/** Starts the browser's VS Code on loopback, installing it first where it is missing; resolves when it answers. */
export async function startBrowserVSCode(options: BrowserVSCodeOptions): Promise<BrowserVSCode> {
  const { node, server } = await installBrowserVSCode();
  const { userDataDir, extensionsDir, builtinExtensionsDir, token } = options;
  const serverDataDir = path.join(userDataDir, 'server');
  await mkdir(path.join(userDataDir, 'User'), { recursive: true });
  await mkdir(extensionsDir, { recursive: true });
  if (options.settings) {
    await writeFile(
      path.join(userDataDir, 'User', 'settings.json'),
      JSON.stringify(options.settings, null, 2),
    );
  }
  const group = spawnGroup(
    node,
    [
      `--require=${path.join(repositoryRoot, 'test/vscode/mintKey.cjs')}`,
      server,
      '--host=127.0.0.1',
      `--port=${options.port ?? 0}`,
      token === undefined ? '--without-connection-token' : `--connection-token=${token}`,
      '--accept-server-license-terms',
      '--telemetry-level=off',
      `--user-data-dir=${userDataDir}`,
      `--server-data-dir=${serverDataDir}`,
      `--extensions-dir=${extensionsDir}`,
      ...(builtinExtensionsDir === undefined ? [] : [`--builtin-extensions-dir=${builtinExtensionsDir}`]),
      ...(options.smokeTestDriver ? ['--enable-smoke-test-driver'] : []),
    ],
    {
      cwd: userDataDir,
      env: cleanEnvironment({ ...options.env, PARLEY_MINT_KEY_FILE: path.join(userDataDir, 'mint-key') }),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const { child } = group;
  const logFile = path.join(userDataDir, 'server.log');
  const log = createWriteStream(logFile);
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () =>
      reject(new Error(`VS Code's server ended before it answered. Its log: ${logFile}`)),
    );
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const found = /agent listening on (\d+)/.exec(line)?.[1];
        if (found) resolve(Number(found));
      });
    }
  });
  const url = new URL(`http://127.0.0.1:${port}/`);
  if (token !== undefined) url.searchParams.set('tkn', token);
  return {
    url: url.href,
    port,
    folderUrl(folder) {
      const withFolder = new URL(url);
      withFolder.searchParams.set('folder', folder);
      return withFolder.href;
    },
    async extensionHosts() {
      const lines = await readFile(logFile, 'utf8');
      const ids = (said: RegExp) => [...lines.matchAll(said)].map(([, pid]) => Number(pid));
      const over = new Set(ids(/<(\d+)> Extension Host Process exited/g));
      return ids(/<(\d+)> Launched Extension Host Process/g).filter((pid) => !over.has(pid));
    },
    ended: group.ended,
    async stop() {
      await group.stop();
      log.end();
    },
  };
}

/** Installs a `.vsix` for the servers that are started with this `extensionsDir`. */
export async function installExtension(
  vsix: string,
  dirs: Pick<BrowserVSCodeOptions, 'userDataDir' | 'extensionsDir'>,
): Promise<void> {
  const { node, server } = await installBrowserVSCode();
  const args = [
    server,
    `--install-extension=${vsix}`,
    '--force',
    '--accept-server-license-terms',
    `--user-data-dir=${dirs.userDataDir}`,
    `--server-data-dir=${path.join(dirs.userDataDir, 'server')}`,
    `--extensions-dir=${dirs.extensionsDir}`,
  ];
  try {
    await promisify(execFile)(node, args, { env: cleanEnvironment() });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`VS Code didn't install ${vsix}:\n${stdout ?? ''}${stderr ?? ''}`, { cause: error });
  }
}

/** This process's environment without what belongs to a VS Code around it, or to the TypeScript loader. */
function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name),
  );
  // code-server's extension gallery is a public one, which it would ask about its built-in extensions at every start.
  const noGallery = { EXTENSIONS_GALLERY: '{"serviceUrl":""}' };
  return { ...Object.fromEntries(kept), ...noGallery, ...extra };
}
