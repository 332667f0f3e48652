import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { createNotices, UNLICENSED_GRAMMARS } from '../../scripts/notices';
import { repositoryRoot } from '../vscode/cacheDir';
import { getShippedBuild } from './shippedBuild';

describe('The third-party notices', () => {
  let notices: string;
  /** The files of packages that are in the bundles. */
  let files: readonly string[];

  before(async () => {
    const metafiles = Object.values(await getShippedBuild()).map(({ metafile }) => metafile);
    notices = await createNotices(repositoryRoot, metafiles);
    const inputs = metafiles.flatMap(({ outputs }) => Object.values(outputs).map(({ inputs }) => inputs));
    files = inputs
      .flatMap((all) => Object.entries(all).filter(([, { bytesInOutput }]) => bytesInOutput > 0))
      .flatMap(([file]) => (file.includes('node_modules/') ? [file.replace(/\?.*/, '')] : []));
  });

  it('name each package in the bundles with its version, and no other', async () => {
    const folders = new Set(files.map((file) => file.replace(/(.*node_modules\/(@[^/]+\/)?[^/]+).*/, '$1')));
    const shipped = [...folders].map(async (folder) => {
      const text = await readFile(path.join(repositoryRoot, folder, 'package.json'), 'utf8');
      const { name, version } = JSON.parse(text);
      return `${name} ${version}`;
    });
    const named = [...findTitles(notices)].flatMap((title) => /^@?[\w./-]+ \d[\w.-]*/.exec(title) ?? []);
    assert.deepEqual(named.toSorted(), (await Promise.all(shipped)).toSorted());
    assert.ok(named.length > 70, `${named.length} packages`);
  });

  it('name each grammar in the bundles that has patterns', () => {
    const grammars = files.flatMap((file) => /langs-precompiled\/dist\/([\w-]+)\.mjs$/.exec(file)?.[1] ?? []);
    const named = findTitles(notices).flatMap((title) => /^The grammar ([\w-]+) /.exec(title)?.[1] ?? []);
    const expected = new Set(grammars.filter((name) => !(name in UNLICENSED_GRAMMARS)));
    assert.deepEqual(named.toSorted(), [...expected].toSorted());
  });

  it('name the packages that others bundle, and the authors that files of a package name', () => {
    const titles = findTitles(notices);
    for (const part of ['chevrotain', 'langium', 'vscode-uri', 'path-browserify']) {
      assert.ok(titles.includes(`${part}, bundled in @mermaid-js/parser`), part);
    }
    assert.ok(
      titles.includes('js-yaml, bundled in mermaid') &&
        titles.includes('points-on-curve, bundled in roughjs'),
    );
    // In a comment of cytoscape, and in one of temml.
    assert.match(notices, /Copyright Gaetan Renaudeau/);
    assert.match(notices, /The MathJax Consortium/);
  });

  it('have every license in full', async () => {
    for (const name of ['@vscode/codicons', 'dompurify', 'd3-ease', 'mermaid']) {
      const license = await readFile(path.join(repositoryRoot, 'node_modules', name, 'LICENSE'), 'utf8');
      const lines = license.split(/\r?\n/).map((line) => line.replace(/^\uFEFF/, '').trimEnd());
      assert.deepEqual(
        lines.filter((line) => !notices.includes(line)),
        [],
        name,
      );
    }
    for (const section of notices.split(/^={80}\n/m).filter((_, index) => index > 0 && index % 2 === 0)) {
      assert.ok(section.length > 200, section);
    }
  });

  it('are refused for a package that has no license text, or bundles one that has none', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'parley-notices-'));
    try {
      const folder = path.join(root, 'node_modules/@a/b');
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'package.json'), '{ "name": "@a/b", "version": "1.0.0" }');
      await writeFile(path.join(folder, 'README.md'), '# b\n\n## License\n\nMIT\n');
      await writeFile(path.join(folder, 'index.js'), 'run();');
      const metafile = {
        outputs: { 'a.js': { inputs: { 'node_modules/@a/b/index.js': { bytesInOutput: 1 } } } },
      };
      const create = () => createNotices(root, [metafile as unknown as Metafile]);
      await assert.rejects(create, /node_modules\/@a\/b has no license text/);

      await writeFile(path.join(folder, 'LICENSE'), 'Do what you like.');
      assert.match(await create(), /^@a\/b 1\.0\.0\n=+\n\nDo what you like\.$/m);

      await writeFile(
        path.join(folder, 'index.js'),
        '// ../node_modules/.pnpm/c@1.0.0/node_modules/c/c.js\nrun();',
      );
      await assert.rejects(create, /c, which is bundled in @a\/b, has no license text/);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});

/** Returns the lines above each text, which say whose it is. */
function findTitles(notices: string): string[] {
  return notices
    .split(/^={80}\n/m)
    .filter((_, index) => index % 2 === 1)
    .flatMap((titles) => titles.trim().split('\n'));
}
