import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { shippedBundles } from '../../scripts/bundles.mjs';
import { languages } from '../../scripts/l10n.mjs';
import { packFolder } from '../../scripts/package.mjs';
import { repositoryRoot } from '../vscode/cacheDir';

const MANIFEST_TRANSLATIONS = languages.map((language) => `package.nls.${language}.json`);
/** What is packaged as it is. */
const AS_IT_IS = [
  ...['package.json', 'package.nls.json', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'media'],
  ...['l10n', ...MANIFEST_TRANSLATIONS, '.vscodeignore'],
];
/** What must stay at home. */
const STRAYS = ['.env', 'src/extension.ts', 'test/a.test.ts', 'dist/extension.js.map', 'dist/test/host/a.js'];
/** Bytes, grammars left out. */
const LIMIT = 600_000;

describe('The package', function () {
  this.timeout(120_000);
  let folder: string;
  let page: Metafile;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-package-'));
    for (const name of AS_IT_IS) {
      await cp(path.join(repositoryRoot, name), path.join(folder, name), { recursive: true });
    }
    for (const name of STRAYS) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), 'stray');
    }
    const built = await Promise.all(
      Object.values(shippedBundles(true)).map((options) =>
        build({
          ...options,
          absWorkingDir: repositoryRoot,
          outdir: path.join(folder, options.outdir ?? ''),
          metafile: true,
          logLevel: 'error',
        }),
      ),
    );
    page = built.at(-1)?.metafile ?? assert.fail('The page was not built');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** The files that `vsce ls` names. */
  async function listed(): Promise<string[]> {
    const vsce = path.join(repositoryRoot, 'node_modules/@vscode/vsce/vsce');
    const { stdout } = await promisify(execFile)(process.execPath, [vsce, 'ls', '--no-dependencies'], {
      cwd: folder,
    });
    return stdout.trim().split('\n');
  }

  it('has the bundles, what the manifest names and its papers, and nothing else', async () => {
    const files = await listed();
    const expected = [
      ...['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'package.json', 'package.nls.json'],
      ...['dist/extension.js', 'dist/host/main.js', 'dist/web/extension.js'],
      ...['dist/webview/main.css', 'dist/webview/main.js'],
      ...['media/conversation.tmLanguage.json', 'media/icon.png', 'media/parley.svg'],
      ...['url', 'key', 'message', 'upload'].flatMap((step) =>
        ['light', 'dark'].map((theme) => `media/walkthrough/${step}-${theme}.webp`),
      ),
      ...MANIFEST_TRANSLATIONS,
      ...languages.map((language) => `l10n/bundle.l10n.${language}.json`),
    ];
    assert.deepEqual(
      expected.filter((file) => !files.includes(file)),
      [],
    );
    // What only some replies need: chunks of the page.
    const loadedLater = /^dist\/webview\/[\w-]+-[A-Z0-9]{8}\.js$/;
    assert.deepEqual(
      files.filter((file) => !expected.includes(file) && !loadedLater.test(file)),
      [],
    );
  });

  it('is made without a warning, and is under 600 KB without its grammars', async () => {
    const vsix = path.join(folder, 'parley.vsix');
    await packFolder(folder, vsix);
    const { size } = await stat(vsix);
    const grammars = Object.entries(page.outputs).filter(([, { bytes, inputs }]) => {
      const ofGrammars = Object.entries(inputs).filter(([input]) => input.includes('langs-precompiled'));
      return ofGrammars.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0) > bytes / 2;
    });
    assert.ok(grammars.length > 30, `There are only ${grammars.length} grammars`);
    for (const [file] of grammars) await rm(path.resolve(repositoryRoot, file));
    await packFolder(folder, vsix);
    const without = (await stat(vsix)).size;
    console.log(`      ${size} bytes, ${without} without its grammars`);
    assert.ok(without < LIMIT, `${without} bytes`);
  });
});
