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
  /** The folder for the user's settings and the server's data. */
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /** The folder of built-in extensions, if it isn't the one that VS Code includes. */
  readonly builtinExtensionsDir?: string;
  /** User settings, which replace existing ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The port; 0, the default, for any free one. */
  readonly port?: number;
  /** The token that the page needs to connect; without one, any local user can connect. */
  readonly token?: string;
  /** Lets the page load an extension from source and run its tests. */
  readonly smokeTestDriver?: boolean;
  /** Environment of the server and its extension host, merged over this process's. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A VS Code with its window in a page at `url`. */
export interface BrowserVSCode {
  /** The URL of an empty window, including the token; `folderUrl` opens a folder. */
  readonly url: string;
  readonly port: number;
  folderUrl(folder: string): string;
  /** Returns the process ids of the running Node extension hosts, one per window, newest last. */
  extensionHosts(): Promise<number[]>;
  /** Settles when the server exits by itself or after `stop`. */
  readonly ended: Promise<unknown>;
  /** Stops the server, its extension hosts and terminals. */
  stop(): Promise<void>;
}

/**
 * Starts the browser's VS Code on loopback, after installing it if it is missing; resolves when it responds.
 */
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
      // All of it stays on this machine.
      '--disable-websocket-compression',
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
      const ids = (pattern: RegExp) => [...lines.matchAll(pattern)].map(([, pid]) => Number(pid));
      const exited = new Set(ids(/<(\d+)> Extension Host Process exited/g));
      return ids(/<(\d+)> Launched Extension Host Process/g).filter((pid) => !exited.has(pid));
    },
    ended: group.ended,
    async stop() {
      await group.stop();
      log.end();
    },
  };
}

/** Installs a `.vsix` for servers started with this `extensionsDir`. */
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

/** Returns this process's environment without variables of an outer VS Code or of the TypeScript loader. */
function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name),
  );
  // code-server's default gallery is a public one, which it would query about built-in extensions at each
  // start.
  const noGallery = { EXTENSIONS_GALLERY: '{"serviceUrl":""}' };
  return { ...Object.fromEntries(kept), ...noGallery, ...extra };
}
