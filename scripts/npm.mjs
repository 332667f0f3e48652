// Runs the npm that this process came from, on every platform, before anything is installed.
import { spawn } from 'node:child_process';

/**
 * The command line that runs npm, for spawn.
 * @param {string[]} args
 */
export function npmCommand(args) {
  // npm names its own script to what it runs; without it, npm is a shell script on Windows.
  const script = process.env.npm_execpath;
  return script !== undefined && /\.c?js$/.test(script)
    ? { command: process.execPath, args: [script, ...args], shell: false }
    : { command: 'npm', args, shell: process.platform === 'win32' };
}

/**
 * Runs npm in a folder and collects what it says.
 * Throws an Error whose message is a sentence for people where npm is missing, the network is, or npm fails.
 * @param {string[]} npmArgs
 * @param {{ cwd: string }} options
 * @returns {Promise<string>} what npm wrote to its standard output
 */
export async function runNpm(npmArgs, { cwd }) {
  const { command, args, shell } = npmCommand(npmArgs);
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
        error.code === 'ENOENT'
          ? new Error('npm is missing: it comes with Node (Debian: apt-get install npm).')
          : error,
      ),
    );
  });
  if (code === 0) return out;
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(err)) {
    throw new Error(
      `npm can't reach its package registry. Check the network (or npm's proxy settings) and try again.\n${firstErrors(err)}`,
    );
  }
  throw new Error(`npm ${npmArgs[0]} failed in ${cwd}:\n${firstErrors(err) || out}`);
}

/** npm explains itself at length; its first lines of errors say what happened. */
function firstErrors(err) {
  const errors = err.split('\n').filter((line) => !line.startsWith('npm warn'));
  return errors.slice(0, 12).join('\n');
}
