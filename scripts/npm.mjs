// Runs the npm that this process came from, on every platform, before anything is installed.
import { spawn } from 'node:child_process';

/**
 * Runs npm in a folder and collects what it says.
 * Throws an Error whose message is a sentence for people where npm is missing, the network is, or npm fails.
 * @param {string[]} args
 * @param {{ cwd: string }} options
 * @returns {Promise<string>} what npm wrote to its standard output
 */
export async function runNpm(args, { cwd }) {
  // npm names its own script to what it runs; without it, npm is a shell script on Windows.
  const script = process.env.npm_execpath;
  const viaNode = script !== undefined && /\.c?js$/.test(script);
  const child = viaNode
    ? spawn(process.execPath, [script, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    : spawn('npm', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
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
  throw new Error(`npm ${args[0]} failed in ${cwd}:\n${firstErrors(err) || out}`);
}

/** npm explains itself at length; its first lines of errors say what happened. */
function firstErrors(err) {
  const errors = err.split('\n').filter((line) => !line.startsWith('npm warn'));
  return errors.slice(0, 12).join('\n');
}
