// Takes the README's and the walkthrough's pictures from the real product; `accept` takes those that the panel is compared with.
// Usage: node scripts/run.mjs scripts/pictures.ts [accept] [arguments for mocha]
import { spawn } from 'node:child_process';
import path from 'node:path';

const [first, ...rest] = process.argv.slice(2);
const accepts = first === 'accept';
const file = accepts ? 'test/webview/pictures.test.ts' : 'test/e2e/pictures.ts';
const args = accepts || first === undefined ? rest : [first, ...rest];
const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', file, ...args], {
  cwd: path.join(__dirname, '..'),
  stdio: 'inherit',
  env: { ...process.env, ...(accepts && { PARLEY_ACCEPT_PICTURES: '1' }) },
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
