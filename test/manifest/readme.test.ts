import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createPages } from '../../scripts/readme';
import { repositoryRoot } from '../vscode/cacheDir';

describe('The README and the handbook', () => {
  it('have the settings and commands of package.json; else run: node scripts/run.mjs scripts/readme.ts', async () => {
    for (const [file, page] of Object.entries(await createPages())) {
      assert.equal(await readFile(path.join(repositoryRoot, file), 'utf8'), page, file);
    }
  });

  it('list every setting, and every command that has a keybinding', async () => {
    const { 'README.md': readme = '', 'docs/handbook.md': handbook = '' } = await createPages();
    const { contributes } = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8'));
    const texts = JSON.parse(await readFile(path.join(repositoryRoot, 'package.nls.json'), 'utf8'));
    for (const name of Object.keys(contributes.configuration.properties)) {
      assert.ok(readme.includes(`\n| \`${name}\` |`), name);
    }
    for (const { command } of contributes.keybindings) {
      const title = texts[`command.${command.replace(/^parley\.(?:view\.)?/, '')}`];
      assert.match(handbook, new RegExp(`\\n\\| Parley: ${title} \\| [^|]*\\+`));
    }
    assert.doesNotMatch(
      readme + handbook,
      /%[a-z]+\.[^%]+%/,
      'a text of package.nls.json is shown as its key',
    );
  });

  it('say how to try Parley from a clone, with the two commands that do all the set-up', async () => {
    const readme = await readFile(path.join(repositoryRoot, 'README.md'), 'utf8');
    const section = readme.slice(readme.indexOf('\n## Try it from a clone\n'));
    assert.match(section, /```\nnpm start\n```[\s\S]*```\nnpm test\n```/);
  });

  it('name each key of package.json on the page about the keyboard', async () => {
    const page = await readFile(path.join(repositoryRoot, 'docs/accessibility.md'), 'utf8');
    const { 'docs/handbook.md': handbook = '' } = await createPages();
    const keys = [...handbook.matchAll(/^\| Parley: [^|]+ \| ([^|(]+) \(macOS: ([^)]+)\)/gm)];
    assert.ok(keys.length > 8, `${keys.length} keys`);
    for (const [row, key = '', macKey = ''] of keys) {
      assert.ok(page.includes(key) && page.includes(macKey), row);
    }
  });
});
