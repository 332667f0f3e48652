// Takes the pictures of the README and the walkthrough from a real VS Code; with `accept`, the reference
// pictures of the panel.
// Usage: node scripts/run.mjs scripts/pictures.ts [accept] [arguments for mocha]
import { spawn } from 'node:child_process';
import path from 'node:path';
import { useRunFolder } from '../test/runner/runFolder';

const [first, ...rest] = process.argv.slice(2);
const isAccepting = first === 'accept';
const file = isAccepting ? 'test/webview/pictures.test.ts' : 'test/e2e/pictures.ts';
const args = isAccepting || first === undefined ? rest : [first, ...rest];
useRunFolder();
const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', file, ...args], {
  cwd: path.join(__dirname, '..'),
  stdio: 'inherit',
  env: { ...process.env, ...(isAccepting && { PARLEY_ACCEPT_PICTURES: '1' }) },
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
