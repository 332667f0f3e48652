// @ts-check The only script that needs just Node and npm: installs Parley's packages if they don't match
// package-lock.json, then runs a TypeScript file.
// Usage: node scripts/run.mjs [FILE [ARGUMENT…]]; without a file, only installs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Returns the command line for the npm that started this process, on every platform.
 * @param {readonly string[]} args
 * @returns {{ readonly command: string, readonly args: readonly string[], readonly shell: boolean }}
 */
export function npmCommand(args) {
  // npm passes the path of its own script to the scripts that it runs; without it, npm is a shell script on
  // Windows.
  const script = process.env.npm_execpath;
  return script !== undefined && /\.c?js$/.test(script)
    ? { command: process.execPath, args: [script, ...args], shell: false }
    : { command: 'npm', args, shell: process.platform === 'win32' };
}

/**
 * Runs npm in a folder and resolves to its standard output.
 * Throws an Error with a readable message if npm is missing, can't reach the network, or fails.
 * @param {readonly string[]} npmArgs
 * @param {{ readonly cwd: string }} options
 * @returns {Promise<string>}
 */
export async function runNpm(npmArgs, { cwd }) {
  // With `npm --silent test`, npm would inherit the level and not say what failed.
  const { command, args, shell } = npmCommand([...npmArgs, '--loglevel=warn']);
  const child = spawn(command, args, { cwd, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  const code = await new Promise((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', (error) =>
      reject(
        'code' in error && error.code === 'ENOENT'
          ? new Error('npm is missing: it comes with Node (Debian: apt-get install npm).')
          : error,
      ),
    );
  });
  if (code === 0) return out;
  // npm's error output is long; its first error lines contain the cause.
  const errors = err.split('\n').filter((line) => !line.startsWith('npm warn'));
  const summary = errors.slice(0, 12).join('\n');
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(err)) {
    throw new Error(
      `npm can't reach its package registry. Check the network (or npm's proxy settings) and try again.\n${summary}`,
    );
  }
  throw new Error(`npm ${npmArgs[0]} failed in ${cwd}:\n${summary || out}`);
}

/**
 * Runs `work` and shows its elapsed time: in a line updated in place on a terminal, every 20 s elsewhere.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(title, work) {
  const isTerminal = process.stdout.isTTY === true;
  const start = performance.now();
  const formatTime = () => `${((performance.now() - start) / 1000).toFixed(isTerminal ? 0 : 1)} s`;
  /** @param {string} state */
  const show = (state) =>
    process.stdout.write(isTerminal ? `\r\x1b[K${title} … ${state}` : `${title} … ${state}\n`);
  show('');
  const timer = setInterval(() => show(formatTime()), isTerminal ? 1000 : 20_000);
  let ending = 'failed after';
  try {
    const result = await work();
    ending = 'done in';
    return result;
  } finally {
    clearInterval(timer);
    show(`${ending} ${formatTime()}${isTerminal ? '\n' : ''}`);
  }
}

/**
 * Installs Parley's packages if they are missing or don't match the lock file; otherwise takes a few milliseconds.
 * Throws an Error that says what is missing.
 */
async function ensureInstalled() {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Error(
      `Parley needs Node 20 or newer; this is ${process.version}. Get one from your package manager or nvm.`,
    );
  }
  await onLockFileChange(root, async () => {
    if (matchesLockFile()) return;
    await withProgress('Installing packages (npm ci)', () =>
      runNpm(['ci', '--no-audit', '--no-fund'], { cwd: root }),
    );
  });
}

/**
 * Runs `install` if a folder's lock file has changed since it ran last.
 * @param {string} folder
 * @param {() => Promise<unknown>} install
 */
export async function onLockFileChange(folder, install) {
  const stamp = path.join(folder, 'node_modules', '.parley-lock-hash');
  const hash = createHash('sha256')
    .update(readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await install();
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

/** Whether node_modules, by npm's record, has each package of the lock file, as after a manual npm install. */
function matchesLockFile() {
  const record = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(
    ([name, { version, optional }]) =>
      name === '' || installed[name]?.version === version || (optional && !installed[name]),
  );
}

async function main() {
  await ensureInstalled();
  const [file, ...args] = process.argv.slice(2);
  if (file === undefined) return;
  process.chdir(root);
  const script = path.join(root, file);
  process.argv = [process.execPath, script, ...args];
  const [commonJs, modules] = await Promise.all([import('tsx/cjs/api'), import('tsx/esm/api')]);
  commonJs.register();
  modules.register();
  await import(pathToFileURL(script).href);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
