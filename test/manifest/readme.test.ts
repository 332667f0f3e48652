import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createReadme } from '../../scripts/readme';
import { repositoryRoot } from '../vscode/cacheDir';

describe('The README', () => {
  it('has the commands and settings of package.json; else run: node scripts/run.mjs scripts/readme.ts', async () => {
    const readme = await readFile(path.join(repositoryRoot, 'README.md'), 'utf8');
    assert.equal(readme, await createReadme());
  });

  it('lists every setting, and every command that has a keybinding', async () => {
    const readme = await createReadme();
    const { contributes } = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8'));
    const texts = JSON.parse(await readFile(path.join(repositoryRoot, 'package.nls.json'), 'utf8'));
    for (const name of Object.keys(contributes.configuration.properties)) {
      assert.ok(readme.includes(`\n| \`${name}\` |`), name);
    }
    for (const { command } of contributes.keybindings) {
      const title = texts[`command.${command.replace(/^parley\.(?:view\.)?/, '')}`];
      assert.match(readme, new RegExp(`\\n\\| Parley: ${title} \\| [^|]*\\+`));
    }
    assert.doesNotMatch(readme, /%[a-z]+\.[^%]+%/, 'a text of package.nls.json is shown as its key');
  });
});
