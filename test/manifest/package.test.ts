import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { languages } from '../../scripts/l10n';
import { createNotices, NOTICES_FILE } from '../../scripts/notices';
import { getLinkFlags, packFolder } from '../../scripts/package';
import { repositoryRoot } from '../vscode/cacheDir';
import { getShippedBuild } from './shippedBuild';
import { readZipEntries } from './zipEntries';

const MANIFEST_TRANSLATIONS = languages.map((language) => `package.nls.${language}.json`);
/** Files and folders that are packaged unchanged. */
const UNCHANGED_FILES = [
  ...['package.json', 'package.nls.json', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'media'],
  ...['l10n', ...MANIFEST_TRANSLATIONS, '.vscodeignore'],
];
/** Files that must not be packaged. */
const EXCLUDED_FILES = [
  '.env',
  'CONTRIBUTING.md',
  'docs/store.md',
  'src/extension.ts',
  'test/a.test.ts',
  ...[
    'extension.js',
    'host/main.cjs',
    'web/extension.js',
    'webview/main.js',
    'webview/pageMain.css',
    'diagram/main.mjs',
  ].map((bundle) => `dist/${bundle}.map`),
  'dist/test/host/a.js',
];
/** The size limit without grammars, diagrams and notices. */
const MAX_BYTES = 820_000;
/** The size limit of what draws diagrams, which is loaded by Open Diagram only. */
const MAX_DIAGRAM_BYTES = 1_000_000;
const DIAGRAM_FILE = 'dist/diagram/main.mjs';

describe('The package', () => {
  let folder: string;
  let size: number;
  /** The compressed size of each file, by its name in the folder. */
  let files: ReadonlyMap<string, number>;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-package-'));
    for (const name of UNCHANGED_FILES) {
      await cp(path.join(repositoryRoot, name), path.join(folder, name), { recursive: true });
    }
    const write = async (name: string, content: string | Uint8Array) => {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), content);
    };
    for (const name of EXCLUDED_FILES) await write(name, 'stray');
    for (const { outputFiles } of Object.values(await getShippedBuild())) {
      for (const { path: file, contents } of outputFiles) {
        await write(path.relative(repositoryRoot, file), contents);
      }
    }
    const metafiles = Object.values(await getShippedBuild()).map(({ metafile }) => metafile);
    await write(NOTICES_FILE, await createNotices(repositoryRoot, metafiles));
    const vsix = path.join(folder, 'parley.vsix');
    // Throws on vsce's warnings.
    await packFolder(folder, vsix);
    const zip = await readFile(vsix);
    size = zip.length;
    files = new Map(
      [...readZipEntries(zip)].map(([name, bytes]) => [name.replace(/^extension\//, ''), bytes]),
    );
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('contains the bundles, the manifest’s files, README, changelog, license and notices, and nothing else', () => {
    const expected = [
      ...['LICENSE.txt', 'readme.md', 'changelog.md', 'SECURITY.md', 'package.json', 'package.nls.json'],
      NOTICES_FILE,
      // Created by vsce.
      ...['extension.vsixmanifest', '[Content_Types].xml'],
      ...['dist/extension.js', 'dist/host/main.cjs', 'dist/web/extension.js'],
      ...['dist/webview/main.css', 'dist/webview/main.js', DIAGRAM_FILE],
      ...['media/conversation.tmLanguage.json', 'media/icon.png'],
      ...['parley', 'parley-light', 'parley-dark'].map((icon) => `media/${icon}.svg`),
      ...['url', 'key', 'message', 'upload'].flatMap((step) =>
        ['light', 'dark'].map((theme) => `media/walkthrough/${step}-${theme}.webp`),
      ),
      ...MANIFEST_TRANSLATIONS,
      ...languages.map((language) => `l10n/bundle.l10n.${language}.json`),
    ];
    assert.deepEqual(
      expected.filter((file) => !files.has(file)),
      [],
    );
    // What only some replies or commands need.
    const LAZY_CHUNK = /^dist\/(?:webview|host)\/[\w-]+-[A-Z0-9]{8}\.c?js$/;
    assert.deepEqual(
      [...files.keys()].filter((file) => !expected.includes(file) && !LAZY_CHUNK.test(file)),
      [],
    );
  });

  it('points to the tag’s README pictures and files in a release on GitHub, and keeps relative links elsewhere', () => {
    const env = { GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'a/parley' };
    assert.deepEqual(getLinkFlags({ ...env, GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: 'main' }), [
      '--no-rewrite-relative-links',
    ]);
    assert.deepEqual(getLinkFlags({ ...env, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.2.3' }), [
      ...['--baseContentUrl', 'https://github.example/a/parley/blob/v1.2.3'],
      ...['--baseImagesUrl', 'https://github.example/a/parley/raw/v1.2.3'],
    ]);
  });

  it('is smaller than 820 KB without its grammars, its notices, and what draws diagrams, which is smaller than 1 MB', async () => {
    const { outputs } = (await getShippedBuild()).page.metafile;
    const grammars = Object.entries(outputs).filter(([, { bytes, inputs }]) => {
      const grammarInputs = Object.entries(inputs).filter(([input]) => input.includes('langs-precompiled'));
      return grammarInputs.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0) > bytes / 2;
    });
    assert.ok(grammars.length > 30, `There are only ${grammars.length} grammars`);
    const diagramSize = files.get(DIAGRAM_FILE) ?? Number.NaN;
    assert.ok(diagramSize < MAX_DIAGRAM_BYTES, `${diagramSize} bytes draw diagrams`);
    const remaining = grammars.reduce(
      (left, [file]) => left - (files.get(file) ?? Number.NaN),
      size - diagramSize - (files.get(NOTICES_FILE) ?? Number.NaN),
    );
    assert.ok(remaining < MAX_BYTES, `${remaining} of ${size} bytes`);
  });
});
