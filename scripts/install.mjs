// Makes node_modules fit package-lock.json, with nothing but Node and npm. `npm start`, `npm test` and `npm run bench` begin here.
// Usage: node scripts/install.mjs
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from './npm.mjs';
import { withProgress } from './progress.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Installs Parley's packages where they are missing or older than the lock file; else takes a few milliseconds.
 * Throws an Error whose message says what is missing.
 */
export async function ensureInstalled() {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Error(
      `Parley needs Node 20 or newer; this is ${process.version}. Get one from your package manager or nvm.`,
    );
  }
  const stamp = path.join(root, 'node_modules', '.parley-lock-hash');
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  if (!fitsLockFile()) {
    await withProgress('Installing packages (npm ci)', () =>
      runNpm(['ci', '--no-audit', '--no-fund'], { cwd: root }),
    );
  }
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Whether npm's own record of node_modules has each package of the lock file in its version (someone ran npm install). */
function fitsLockFile() {
  const record = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(
    ([name, { version, optional }]) =>
      name === '' || installed[name]?.version === version || (optional && !installed[name]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await ensureInstalled();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
