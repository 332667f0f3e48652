// Writes a CycloneDX bill of materials of the packages that ship, with `npm sbom`.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runNpm } from './run.mjs';

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Writes the bill of materials of the package in `root`, based on its lock file, to `file`. */
export async function writeSbom(root: string, file: string): Promise<void> {
  const read = async (name: string) => JSON.parse(await readFile(path.join(root, name), 'utf8'));
  const { name, version, license, dependencies } = await read('package.json');
  const lock = await read('package-lock.json');
  // `npm sbom --omit dev` also omits packages that a development tool shares with the product, so it gets a
  // lock file without the development-only packages.
  delete lock.packages[''].devDependencies;
  for (const [name, { dev, devOptional }] of Object.entries<LockedPackage>(lock.packages)) {
    if (dev || devOptional) delete lock.packages[name];
  }
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-sbom-'));
  try {
    // npm names the bill after the folder.
    const folder = path.join(dir, name);
    await mkdir(folder);
    const manifest = { name, version, license, dependencies };
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
    const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
    await writeFile(file, await runNpm(sbom, { cwd: folder }));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
