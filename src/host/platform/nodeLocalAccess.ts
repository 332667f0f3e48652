import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFile,
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LocalAccess, LocalConnection, LocalSocket, PrivateFolder } from './localAccess';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PROGRAM_MODE = 0o700;
/** Unix sockets have paths of at most 103 bytes on macOS. */
const MAX_FOLDER_BYTES = 80;
const SOCKET_FOLDER = 'parley-agents-';
const SOCKET = 's';
/** In ms: what is newer may be in use by a window that is starting or writing. A crash left what is older. */
const MIN_LEFTOVER_AGE_MS = 60_000;
/** What is kept for a side that doesn't read, in bytes. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
/** More than any machine's agents. */
const MAX_CONNECTIONS = 64;
const isWindows = process.platform === 'win32';

export const localAccess: LocalAccess = {
  // In VS Code on the desktop, this is Electron, which runs as Node.js only if it is told to.
  node: {
    path: process.execPath,
    env: process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' },
  },
  isWindows,
  openFolder: async (folder) => openPrivateFolder(folder.fsPath),
  listen,
  removeIfAbandoned,
  run,
};

/** Creates the folder, or makes it private. */
export async function openPrivateFolder(folder: string): Promise<PrivateFolder> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  // It may be there already, with other modes. Windows has none: there, the user's profile is private.
  await chmod(folder, FOLDER_MODE);
  const place = (name: string) => path.join(folder, name);
  return {
    path: folder,
    listFiles: () => readdir(folder),
    readFile: async (name) => {
      try {
        return await readFile(place(name), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    writeFile: async (name, text, executable) => {
      const partial = place(`${name}.${randomUUID()}.tmp`);
      await writeFile(partial, text, { mode: executable ? PROGRAM_MODE : FILE_MODE, flag: 'wx' });
      await rename(partial, place(name));
    },
    appendLine: (name, line) => appendFile(place(name), `${line}\n`, { mode: FILE_MODE }),
    removeFile: (name) => rm(place(name), { force: true }),
    removePartialFiles: async () => {
      for (const name of await readdir(folder))
        if (name.endsWith('.tmp') && (await isLeftover(place(name)))) await rm(place(name), { force: true });
    },
  };
}

async function listen(onConnection: (connection: LocalConnection) => void): Promise<LocalSocket> {
  const server = createServer((socket) => onConnection(toConnection(socket)));
  server.maxConnections = MAX_CONNECTIONS;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await removeAbandonedSockets();
  // Windows' default access: this user, administrators and the system can write, and nobody else.
  const address = isWindows ? `\\\\.\\pipe\\parley-${randomUUID()}` : await createSocketPath();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  if (!isWindows) await chmod(address, FILE_MODE);
  return {
    address,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
      await removeSocketFolder(address);
    },
  };
}

/** Creates a folder with mode 0700, as `mkdtemp` does, for one socket. */
async function createSocketPath(): Promise<string> {
  return path.join(await mkdtemp(path.join(getSocketsPlace(), SOCKET_FOLDER)), SOCKET);
}

function getSocketsPlace(): string {
  return Buffer.byteLength(tmpdir()) < MAX_FOLDER_BYTES ? tmpdir() : '/tmp';
}

/** Removes the folders of windows that crashed before any file told of them. */
async function removeAbandonedSockets(): Promise<void> {
  // A pipe ends with its process.
  if (isWindows) return;
  const place = getSocketsPlace();
  const names = await readdir(place).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(SOCKET_FOLDER))) {
    const folder = path.join(place, name);
    if (await isLeftover(folder)) await removeIfAbandoned(path.join(folder, SOCKET)).catch(() => undefined);
  }
}

/** Returns whether the file or folder is this user's and nobody has changed it for a while. */
async function isLeftover(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  return (
    found !== undefined &&
    !found.isSymbolicLink() &&
    (isWindows || found.uid === process.getuid?.()) &&
    Date.now() - found.mtimeMs > MIN_LEFTOVER_AGE_MS
  );
}

async function removeSocketFolder(address: string): Promise<void> {
  const folder = path.dirname(address);
  if (isWindows || !path.basename(folder).startsWith(SOCKET_FOLDER)) return;
  await rm(address, { force: true }).catch(() => undefined);
  // A folder with anything else in it stays: that isn't Parley's.
  await rmdir(folder).catch(() => undefined);
}

async function removeIfAbandoned(address: string): Promise<boolean> {
  const isAbandoned = await new Promise<boolean>((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      resolve(false);
      socket.destroy();
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' || code === 'ENOENT'),
    );
  });
  if (isAbandoned) await removeSocketFolder(address);
  return isAbandoned;
}

function toConnection(socket: Socket): LocalConnection {
  socket.setEncoding('utf8');
  // The `close` that follows is what counts.
  socket.on('error', () => undefined);
  return {
    onText: (listener) => void socket.on('data', (text) => listener(String(text))),
    onClose: (listener) => void socket.once('close', listener),
    send: (text) => {
      if (socket.writableLength > MAX_UNSENT_BYTES) socket.destroy();
      else socket.write(text);
    },
    close: () => socket.destroy(),
  };
}

/** In ms: a program that is only started to see whether it answers. */
const RUN_TIMEOUT_MS = 20_000;
const MAX_OUTPUT_LENGTH = 1_000_000;

function run(
  command: string,
  args: readonly string[],
  input: string,
  isDone: (output: string) => boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { timeout: RUN_TIMEOUT_MS });
    let output = '';
    let errors = '';
    child.stdout.on('data', (data: Buffer) => {
      output = (output + data.toString()).slice(0, MAX_OUTPUT_LENGTH);
      if (isDone(output)) child.stdin.end();
    });
    child.stderr.on('data', (data: Buffer) => {
      errors = (errors + data.toString()).slice(0, 1000);
    });
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code) =>
      isDone(output) ? resolve(output) : reject(new Error(errors.trim() || `Its exit code is ${code}.`)),
    );
    child.stdin.write(input);
  });
}
