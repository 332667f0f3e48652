import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../vscode/cacheDir';

describe('docs/service.md', () => {
  it('has every section that a comment in src cites', async () => {
    const page = await readFile(path.join(repositoryRoot, 'docs/service.md'), 'utf8');
    const sections = new Set(
      [...page.matchAll(/^#{2,3} (.+)$/gm)].flatMap(([, heading = '']) => [heading, ...heading.split(', ')]),
    );
    const src = path.join(repositoryRoot, 'src');
    const files = (await readdir(src, { recursive: true })).filter((file) => /\.tsx?$/.test(file));
    const cited: string[] = [];
    for (const file of files) {
      const text = await readFile(path.join(src, file), 'utf8');
      for (const [, section = ''] of text.matchAll(/docs\/service\.md: ([^);]+)/g)) {
        cited.push(section);
        assert.ok(sections.has(section), `${file} cites “${section}”`);
      }
    }
    assert.ok(cited.length > 10);
  });
});
