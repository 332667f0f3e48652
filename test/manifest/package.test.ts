import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { languages } from '../../scripts/l10n';
import { createNotices, NOTICES_FILE } from '../../scripts/notices';
import { packExtension } from '../../scripts/package';
import { findReleaseUrl, getReleaseFlags } from '../../scripts/release';
import { repositoryRoot } from '../vscode/cacheDir';
import { getShippedBuild } from './shippedBuild';
import { readZipEntries, type ZipEntry } from './zipEntries';

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
    'mcp/server.js',
  ].map((bundle) => `dist/${bundle}.map`),
  'dist/test/host/a.js',
];
/** The size limit without grammars, diagrams and notices. */
const MAX_BYTES = 1_130_000;
const MAX_TOTAL_BYTES = 2_800_000;
/** The size limit of what draws diagrams, which is loaded by Open Diagram only. */
const MAX_DIAGRAM_BYTES = 1_000_000;
const DIAGRAM_FILE = 'dist/diagram/main.mjs';
/** The size limit of the MCP server, a program that only agents start: the SDK and its schema validators are most of it. */
const MAX_MCP_BYTES = 200_000;
const MCP_FILE = 'dist/mcp/server.js';

describe('The package', () => {
  let folder: string;
  let size: number;
  /** Each file by its name in the folder. */
  let files: ReadonlyMap<string, ZipEntry>;

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
    await packExtension(folder, vsix, {});
    size = (await stat(vsix)).size;
    files = await readFiles(vsix);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('contains the bundles, the manifest’s files, README, changelog, license and notices, and nothing else', () => {
    const expected = [
      ...['LICENSE.txt', 'readme.md', 'changelog.md', 'SECURITY.md', 'package.json', 'package.nls.json'],
      NOTICES_FILE,
      // Created by vsce.
      ...['extension.vsixmanifest', '[Content_Types].xml'],
      ...['dist/extension.js', 'dist/host/main.cjs', 'dist/web/extension.js'],
      ...['dist/webview/main.css', 'dist/webview/main.js', DIAGRAM_FILE, MCP_FILE],
      ...['media/conversation.tmLanguage.json', 'media/parley.schema.json', 'media/icon.png'],
      'media/skills/company-bots/SKILL.md',
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

  it('has no picture and no link on its page that isn’t there, unless it is a release', () => {
    const readme = getText('readme.md');
    assert.match(readme, /^# Parley\n/);
    assert.deepEqual(
      findTargets(readme).filter((target) => !/^(https:|#)/.test(target)),
      [],
    );
    // The text of the links is still there.
    assert.match(readme, /\bSECURITY\.md\b/);
  });

  it('has only pictures and links of its version on its page as a release, and all of them exist', async () => {
    const release = await mkdtemp(path.join(tmpdir(), 'parley-release-'));
    try {
      await cp(folder, release, { recursive: true });
      const url = 'https://github.example/a/parley';
      const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
      Object.assign(manifest, {
        repository: { type: 'git', url: `${url}.git` },
        bugs: { url: `${url}/issues` },
      });
      await writeFile(
        path.join(release, 'package.json'),
        JSON.stringify({ ...manifest, homepage: `${url}#readme`, version: '1.2.3' }),
      );
      const vsix = path.join(release, 'parley.vsix');
      await packExtension(release, vsix, releaseEnvironment('v1.2.3'));
      const readme = (await readFiles(vsix)).get('readme.md')?.readText() ?? '';
      const targets = findTargets(readme);
      assert.deepEqual(
        targets.filter((target) => !/^(https:|#)/.test(target)),
        [],
      );
      const ours = targets.filter((target) => target.startsWith(url));
      assert.ok(
        ours.some((target) => target.startsWith(`${url}/raw/v1.2.3/`)),
        'It has no picture.',
      );
      for (const target of ours) {
        const [, name = ''] = /\/(?:blob|raw)\/v1\.2\.3\/([^#]+)/.exec(target) ?? [];
        assert.ok(existsSync(path.join(repositoryRoot, name)) && name !== '', target);
      }
    } finally {
      await rm(release, { recursive: true, force: true });
    }
  });

  it('isn’t made for a release as long as package.json has the placeholder for its repository, or another version', () => {
    const { repository, bugs, homepage, version } = JSON.parse(getText('package.json'));
    const manifest = { repository, bugs, homepage, version };
    assert.equal(findReleaseUrl(manifest, {}), undefined);
    const env = { ...releaseEnvironment(`v${version}`), GITHUB_SERVER_URL: 'https://github.com' };
    assert.throws(
      () => findReleaseUrl(manifest, env),
      /must name https:\/\/github\.com\/a\/parley, not https:\/\/github\.com\/OWNER\/parley\.git/,
    );
    const ready = JSON.parse(JSON.stringify(manifest).replaceAll('OWNER', 'a'));
    assert.equal(findReleaseUrl(ready, env), 'https://github.com/a/parley');
    assert.equal(findReleaseUrl(ready, { ...env, GITHUB_REF_TYPE: 'branch' }), undefined);
    assert.throws(() => findReleaseUrl({ ...ready, version: '9.9.9' }, env), /isn't the version 9\.9\.9/);
    assert.throws(() => findReleaseUrl({ ...ready, bugs: { url: 'https://a.example' } }, env), /"bugs"/);
  });

  it('is a pre-release if its minor version is odd, and a preview as long as its major version is 0', () => {
    const isPreRelease = (version: string) =>
      getReleaseFlags({ ...JSON.parse(getText('package.json')), version }, undefined).includes(
        '--pre-release',
      );
    assert.deepEqual(['0.1.0', '0.2.0', '1.10.1', '1.11.0'].map(isPreRelease), [true, false, false, true]);
    const { version, preview = false } = JSON.parse(getText('package.json'));
    assert.equal(preview, version.startsWith('0.'));
    const manifest = getText('extension.vsixmanifest');
    assert.equal(/Code\.PreRelease" Value="true"/.test(manifest), isPreRelease(version));
  });

  it('isn’t made without its notices', async () => {
    const without = await mkdtemp(path.join(tmpdir(), 'parley-notices-'));
    try {
      await cp(path.join(folder, 'package.json'), path.join(without, 'package.json'));
      await assert.rejects(
        packExtension(without, path.join(without, 'parley.vsix'), {}),
        /ThirdPartyNotices/,
      );
    } finally {
      await rm(without, { recursive: true, force: true });
    }
  });

  it('has an icon of 256 pixels, and an entry for each thing that the Marketplace shows', async () => {
    const manifest = JSON.parse(getText('package.json'));
    const icon = await readFile(path.join(repositoryRoot, manifest.icon));
    assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [256, 256]);
    for (const name of ['publisher', 'displayName', 'description', 'license', 'categories', 'keywords']) {
      assert.ok(manifest[name]?.length > 0, name);
    }
    assert.ok(manifest.keywords.length <= 30, 'The Marketplace accepts at most 30 keywords.');
    assert.ok(!('private' in manifest) && !('sponsor' in manifest));
  });

  it('is smaller than 2.8 MB, and than 1,130 KB without its grammars, its notices, the MCP server of 200 KB, and what draws diagrams, which is smaller than 1 MB', async () => {
    const { outputs } = (await getShippedBuild()).page.metafile;
    const grammars = Object.entries(outputs).filter(([, { bytes, inputs }]) => {
      const grammarInputs = Object.entries(inputs).filter(([input]) => input.includes('langs-precompiled'));
      return grammarInputs.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0) > bytes / 2;
    });
    assert.ok(grammars.length > 30, `There are only ${grammars.length} grammars`);
    const diagramSize = files.get(DIAGRAM_FILE)?.compressedSize ?? Number.NaN;
    assert.ok(diagramSize < MAX_DIAGRAM_BYTES, `${diagramSize} bytes draw diagrams`);
    const mcpSize = files.get(MCP_FILE)?.compressedSize ?? Number.NaN;
    assert.ok(mcpSize < MAX_MCP_BYTES, `${mcpSize} bytes are the MCP server`);
    const remaining = grammars.reduce(
      (left, [file]) => left - (files.get(file)?.compressedSize ?? Number.NaN),
      size - diagramSize - mcpSize - (files.get(NOTICES_FILE)?.compressedSize ?? Number.NaN),
    );
    assert.ok(remaining < MAX_BYTES, `${remaining} of ${size} bytes`);
    assert.ok(size < MAX_TOTAL_BYTES, `${size} bytes in all`);
  });

  function getText(name: string): string {
    const file = files.get(name);
    assert.ok(file, name);
    return file.readText();
  }
});

/** Reads the files of a package by their names in the extension's folder. */
async function readFiles(vsix: string): Promise<ReadonlyMap<string, ZipEntry>> {
  const entries = readZipEntries(await readFile(vsix));
  return new Map([...entries].map(([name, entry]) => [name.replace(/^extension\//, ''), entry]));
}

/** Finds the targets of links and pictures in Markdown. */
function findTargets(markdown: string): string[] {
  const inMarkdown = markdown.matchAll(/\]\(([^)\s]+)\)/g);
  const inHtml = markdown.matchAll(/(?:src|srcset|href)="([^"]+)"/g);
  return [...inMarkdown, ...inHtml].map(([, target = '']) => target);
}

function releaseEnvironment(tag: string): Record<string, string> {
  return {
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'a/parley',
    GITHUB_REF_TYPE: 'tag',
    GITHUB_REF_NAME: tag,
  };
}
