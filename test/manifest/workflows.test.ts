import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArguments } from '../runner/arguments';
import { vscodeVersions } from '../vscode/browserInstall';
import { repositoryRoot } from '../vscode/cacheDir';

const folder = path.join(repositoryRoot, '.github/workflows');

describe('The CI workflows', () => {
  it('run only existing scripts and stages', async () => {
    const { scripts } = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8'));
    const calls: string[] = [];
    for (const name of await readdir(folder)) {
      const text = await readFile(path.join(folder, name), 'utf8');
      for (const [call, script = '', , stages = ''] of text.matchAll(
        /\bnpm (?:run )?([\w:]+)( -- (.+))?$/gm,
      )) {
        calls.push(call);
        assert.ok(script in scripts, `${name}: ${call}`);
        if (script === 'test') parseArguments(stages.split(' ').filter(Boolean));
      }
    }
    assert.ok(calls.includes('npm test') && calls.includes('npm run package'), calls.join());
  });

  it('test the oldest VS Code that the manifest allows', async () => {
    const { engines } = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8'));
    const [, minor = ''] = /^\^(\d+\.\d+)\.0$/.exec(engines.vscode) ?? [];
    assert.ok(vscodeVersions.oldest.startsWith(`${minor}.`), `${vscodeVersions.oldest} for ${minor}`);
    const text = await readFile(path.join(folder, 'ci.yml'), 'utf8');
    assert.match(text, /release: \[oldest, newest\]/);
  });
});
