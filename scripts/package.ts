// Packages the extension as parley-VERSION.vsix in the repository's root, with a bill of materials
// (parley-VERSION.cdx.json) next to it, and the MCP server as parley-mcp-VERSION.tgz. On GitHub, for a tag, it is a release: refused unless package.json names the
// repository that it is built in.
// Usage: node scripts/run.mjs scripts/package.ts
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { MCP_PACKAGE, packMcpServer } from './mcpPackage';
import { NOTICES_FILE } from './notices';
import { type Environment, findReleaseUrl, getReleaseFlags, removeRelativeLinks } from './release';
import { writeSbom } from './sbom';

const root = path.join(__dirname, '..');
const run = promisify(execFile);

const scripts = ['build', 'bundles', 'mcpPackage', 'notices', 'package', 'release', 'sbom'].map(
  (name) => `scripts/${name}.ts`,
);
/** The folders and files from which the package is built. */
const sources = ['src', 'media', 'l10n', ...scripts, 'scripts/esbuild', 'scripts/licenses', '.vscodeignore'];
const topFiles = /^(package.*\.json|.*\.md|LICENSE|tsconfig\.json)$/;
/** The files and folders at the top that may be in the package; .vscodeignore says what of them is. */
const packagedNames = new RegExp(
  `^(package(\\.nls.*)?\\.json|.*\\.md|LICENSE|${NOTICES_FILE}|\\.vscodeignore|dist|media|l10n)$`,
);

/**
 * Builds for production and packages, unless the package is newer than every source; resolves to the path of
 * the .vsix. `progress` is called with the work, if there is any. Throws with esbuild's or vsce's output.
 */
export async function packageExtension(
  progress = (work: () => Promise<string>): Promise<string> => work(),
): Promise<string> {
  const { vsix, sbom } = getFiles();
  if (existsSync(vsix) && existsSync(sbom) && statSync(vsix).mtimeMs > (await findNewestSourceTime()))
    return vsix;
  return await progress(buildAndPackage);
}

function getFiles(): { readonly vsix: string; readonly sbom: string; readonly server: string } {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const stem = path.join(root, `${name}-${version}`);
  const server = path.join(root, `${MCP_PACKAGE}-${version}.tgz`);
  return { vsix: `${stem}.vsix`, sbom: `${stem}.cdx.json`, server };
}

async function buildAndPackage(): Promise<string> {
  const { vsix, sbom } = getFiles();
  await run(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--production'], { cwd: root });
  await writeSbom(root, sbom);
  await packExtension(root, vsix);
  return vsix;
}

/**
 * Packages the extension in a folder. The package of a release has links to the files and pictures of its version;
 * any other has neither, because nobody knows whether they are published. Throws if a release isn't ready.
 */
export async function packExtension(
  folder: string,
  vsix: string,
  env: Environment = process.env,
): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const releaseUrl = findReleaseUrl(manifest, env);
  if (!existsSync(path.join(folder, NOTICES_FILE)))
    throw new Error(`There is no ${NOTICES_FILE}: run the build.`);
  const staged = await mkdtemp(path.join(tmpdir(), 'parley-staged-'));
  try {
    for (const name of (await readdir(folder)).filter((name) => packagedNames.test(name))) {
      await cp(path.join(folder, name), path.join(staged, name), {
        recursive: true,
        filter: (source) => source !== path.join(folder, 'dist', 'test'),
      });
    }
    if (releaseUrl === undefined) {
      const readme = path.join(staged, 'README.md');
      await writeFile(readme, removeRelativeLinks(await readFile(readme, 'utf8')));
    }
    await packFolder(staged, vsix, getReleaseFlags(manifest, releaseUrl));
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Packages a folder as it is. Throws on vsce's warnings as well, which its API only prints. */
export async function packFolder(folder: string, vsix: string, moreFlags: readonly string[]): Promise<void> {
  // Renamed at the end, so that the package is always complete, even while the next one is being written.
  const partial = `${vsix}.${process.pid}.vsix`;
  const flags = ['--no-dependencies', ...moreFlags];
  const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
  const { stdout, stderr } = await run(process.execPath, [vsce, 'package', ...flags, '--out', partial], {
    cwd: folder,
  });
  const warnings = `${stdout}${stderr}`.match(/^.*WARNING.*$/gm);
  if (warnings) {
    await rm(partial, { force: true });
    throw new Error(warnings.join('\n'));
  }
  await rename(partial, vsix);
}

async function findNewestSourceTime(): Promise<number> {
  const top = (await readdir(root)).filter((name) => topFiles.test(name));
  const nested = await Promise.all(
    sources.map(async (name) => {
      const file = path.join(root, name);
      if (!existsSync(file) || !statSync(file).isDirectory()) return [name];
      const below = await readdir(file, { recursive: true });
      return [name, ...below.map((child) => path.join(name, child))];
    }),
  );
  // Includes folders, because their time changes when a file in them is deleted.
  const times = [...top, ...nested.flat()].map(async (name) => {
    const file = path.join(root, name);
    return existsSync(file) ? (await stat(file)).mtimeMs : 0;
  });
  return Math.max(...(await Promise.all(times)));
}

if (process.argv[1] === __filename) {
  // Always packages anew: what is released must not be what a newer time makes look up to date. Tests import this as
  // CommonJS, which has no top-level await.
  buildAndPackage()
    .then(async (vsix) => {
      const { server } = getFiles();
      await packMcpServer(root, server);
      return [vsix, server];
    })
    .then(
      (files) => console.log(files.map((file) => path.relative(process.cwd(), file)).join('\n')),
      (error: Error) => {
        console.error(error.message);
        process.exitCode = 1;
      },
    );
}
