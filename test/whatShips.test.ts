import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeSbom } from '../scripts/sbom';
import { type BundleResult, getShippedBuild } from './manifest/shippedBuild';
import { repositoryRoot } from './vscode/cacheDir';

interface Manifest {
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

async function json<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(path.join(repositoryRoot, file), 'utf8')) as T;
}

/** The bytes that each package has in a bundle, gzipped: its share of each file. */
function sharesOf({ outputFiles, metafile }: BundleResult): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { path: file, contents } of outputFiles) {
    const name = path.relative(repositoryRoot, file).replaceAll(path.sep, '/');
    const ratio = gzipSync(contents).length / contents.length;
    for (const [input, { bytesInOutput }] of Object.entries(metafile.outputs[name]?.inputs ?? {})) {
      const [, of] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input) ?? [];
      if (of !== undefined) shares.set(of, (shares.get(of) ?? 0) + bytesInOutput * ratio);
    }
  }
  return shares;
}

describe('What ships besides our own code', () => {
  let manifest: Manifest;
  /** By the name of a package: what the table in docs/packages.md says of it. */
  let rows: ReadonlyMap<string, { readonly license: string; readonly size: string }>;
  let shares: ReadonlyMap<string, number>;

  before(async () => {
    manifest = await json('package.json');
    const table = await readFile(path.join(repositoryRoot, 'docs/packages.md'), 'utf8');
    rows = new Map(
      [...table.matchAll(/^\| \[([^\]]+)\]\(https:[^)]+\) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(
        ([, name = '', license = '', size = '']) => [name, { license, size }],
      ),
    );
    const { web, page, diagram, mcp } = await getShippedBuild();
    // The two hosts run the same code, and a user loads one of them, and the page.
    const [ofHost, ofPage] = [sharesOf(web), sharesOf(page)];
    const names = new Set([...ofHost.keys(), ...ofPage.keys()]);
    const bytes = (name: string) => (ofHost.get(name) ?? 0) + (ofPage.get(name) ?? 0);
    // The tab of a diagram is Mermaid and what it depends on; the bill of materials names each package.
    const ofDiagram = [...sharesOf(diagram).values()].reduce((sum, share) => sum + share, 0);
    // The MCP server is a program of its own, so what the extension has as well counts only there.
    const ofServer = [...sharesOf(mcp)].filter(([name]) => !names.has(name));
    shares = new Map([
      ...[...names].map((name) => [name, bytes(name)] as const),
      ...ofServer,
      ['mermaid', ofDiagram],
    ]);
  });

  it('is named in docs/packages.md, no more and no less, each dependency among it', () => {
    assert.deepEqual([...rows.keys()].toSorted(), [...shares.keys()].toSorted());
    assert.deepEqual(
      Object.keys(manifest.dependencies).filter((name) => !rows.has(name)),
      [],
    );
  });

  it('has the license and the size that docs/packages.md says', async () => {
    for (const [name, { license, size }] of rows) {
      assert.equal(license, (await json<Manifest>(`node_modules/${name}/package.json`)).license, name);
      const bytes = shares.get(name) ?? 0;
      const said = size === '< 1 KB' ? 500 : Number(size.replace(/ KB$/, '')) * 1000;
      const isClose = Math.abs(bytes - said) <= Math.max(1000, bytes / 10);
      assert.ok(isClose, `${name} is ${Math.round(bytes / 1000)} KB; docs/packages.md says ${size}`);
    }
  });

  it('runs nothing when it is installed', async () => {
    const lock = await json<{ packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }> }>(
      'package-lock.json',
    );
    const ships = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
    assert.ok(ships.length > rows.size);
    assert.deepEqual(
      ships.filter(([, { hasInstallScript }]) => hasInstallScript),
      [],
    );
    assert.deepEqual(
      Object.keys(manifest.scripts ?? {}).filter((name) => /install|prepare|prepublish/.test(name)),
      [],
    );
  });

  it('is in the bill of materials, which names no tool of ours and no place', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'parley-sbom-'));
    try {
      const file = path.join(dir, 'parley.cdx.json');
      await writeSbom(repositoryRoot, file);
      const text = await readFile(file, 'utf8');
      const { bomFormat, metadata, components } = JSON.parse(text) as {
        bomFormat: string;
        metadata: { component: { name: string } };
        components: { name: string; hashes?: unknown[]; licenses?: unknown[] }[];
      };
      assert.deepEqual([bomFormat, metadata.component.name], ['CycloneDX', 'parley']);
      const names = components.map(({ name }) => name);
      assert.deepEqual(
        [...rows.keys()].filter((name) => !names.includes(name)),
        [],
      );
      for (const tool of ['esbuild', 'mocha', 'typescript', 'playwright-core'])
        assert.ok(!names.includes(tool), tool);
      assert.ok(components.every(({ hashes }) => hashes?.length === 1));
      // Its license, MIT, is only in a file of its own.
      const unnamed = components.filter(({ licenses }) => licenses?.length !== 1).map(({ name }) => name);
      assert.deepEqual(unnamed, ['khroma']);
      assert.ok(!text.includes(repositoryRoot) && !text.includes(tmpdir()));
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
