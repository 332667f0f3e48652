// Packages the extension as parley-VERSION.vsix in the repository's root, with a bill of materials
// (parley-VERSION.cdx.json) next to it.
// Usage: node scripts/run.mjs scripts/package.ts
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeSbom } from './sbom';

const root = path.join(__dirname, '..');
const run = promisify(execFile);

const scripts = ['build', 'bundles', 'notices', 'package', 'sbom'].map((name) => `scripts/${name}.ts`);
/** The folders and files from which the package is built. */
const sources = ['src', 'media', 'l10n', ...scripts, 'scripts/esbuild', 'scripts/licenses', '.vscodeignore'];
const topFiles = /^(package.*\.json|.*\.md|LICENSE|tsconfig\.json)$/;

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

function getFiles(): { readonly vsix: string; readonly sbom: string } {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const stem = path.join(root, `${name}-${version}`);
  return { vsix: `${stem}.vsix`, sbom: `${stem}.cdx.json` };
}

async function buildAndPackage(): Promise<string> {
  const { vsix, sbom } = getFiles();
  await run(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--production'], { cwd: root });
  await writeSbom(root, sbom);
  await packFolder(root, vsix);
  return vsix;
}

/** Packages a folder. Throws on vsce's warnings as well, which its API only prints. */
export async function packFolder(
  folder: string,
  vsix: string,
  moreFlags: readonly string[] = [],
): Promise<void> {
  // Renamed at the end, so that the package is always complete, even while the next one is being written.
  const partial = `${vsix}.${process.pid}.vsix`;
  const flags = [
    '--no-dependencies',
    '--allow-missing-repository',
    ...getLinkFlags(process.env),
    ...moreFlags,
  ];
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

/**
 * Returns vsce's flags for relative links. The extension's page shows only pictures with `https:` URLs, so links of
 * a release on GitHub point to its tag. Anywhere else, no URL is known, and they stay as they are.
 */
export function getLinkFlags(env: Readonly<Record<string, string | undefined>>): string[] {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_REF_NAME: tag } = env;
  if (env.GITHUB_REF_TYPE !== 'tag') return ['--no-rewrite-relative-links'];
  const url = (kind: string) => `${server}/${repository}/${kind}/${tag}`;
  return ['--baseContentUrl', url('blob'), '--baseImagesUrl', url('raw')];
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
  void buildAndPackage().then((vsix) => console.log(path.relative(process.cwd(), vsix)));
}
