import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { FEATURES } from '../../scripts/features';
import { createPages } from '../../scripts/readme';
import { repositoryRoot } from '../vscode/cacheDir';

const sourceDir = path.join(repositoryRoot, 'src');
const entries = readdirSync(sourceDir, { recursive: true, withFileTypes: true });

describe('The source folders', () => {
  it('are those of docs/architecture.md; else run: node scripts/run.mjs scripts/readme.ts', async () => {
    const page = await readFile(path.join(repositoryRoot, 'docs/architecture.md'), 'utf8');
    assert.equal(page, (await createPages())['docs/architecture.md']);
  });

  it('have a feature’s name only directly below a room', () => {
    const names: readonly string[] = FEATURES;
    const folders = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath }) => path.relative(sourceDir, parentPath).split(path.sep));
    const nested = folders.filter((folder) =>
      folder.some((name, index) => index !== 1 && names.includes(name)),
    );
    assert.deepEqual(nested, []);
  });

  it('have no two modules of the same name', () => {
    const modules = entries
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
      .map(({ name }) => name.replace(/\.tsx?$/, ''));
    assert.deepEqual(
      modules.filter((name, index) => modules.indexOf(name) !== index),
      [],
    );
  });
});
