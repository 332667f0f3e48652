import { type BuildResult, build } from 'esbuild';
import { shippedBundles } from '../../scripts/bundles';
import { repositoryRoot } from '../vscode/cacheDir';

/** What esbuild makes of a bundle: files in memory, with their names below the repository, and what is in them. */
export type Built = BuildResult<{ write: false; metafile: true }>;

let built: Promise<Readonly<Record<'node' | 'web' | 'page', Built>>> | undefined;

/** Builds the bundles that ship, once for all test files of this process. */
export function buildShipped(): NonNullable<typeof built> {
  built ??= buildAll();
  return built;
}

async function buildAll(): Promise<Readonly<Record<'node' | 'web' | 'page', Built>>> {
  const { node, web, page } = shippedBundles(true);
  const [ofNode, ofWeb, ofPage] = await Promise.all(
    [node, web, page].map((options) =>
      build({
        ...options,
        absWorkingDir: repositoryRoot,
        write: false,
        metafile: true,
        logLevel: 'error',
      } as const),
    ),
  );
  if (!ofNode || !ofWeb || !ofPage) throw new Error('A bundle is missing.');
  return { node: ofNode, web: ofWeb, page: ofPage };
}
