import { type BuildResult, build } from 'esbuild';
import { createShippedBundles } from '../../scripts/bundles';
import { repositoryRoot } from '../vscode/cacheDir';

/**
 * esbuild's result for a bundle: the files in memory with their paths in the repository, and their inputs.
 */
export type BundleResult = BuildResult<{ write: false; metafile: true }>;

let shippedBuild:
  | Promise<Readonly<Record<keyof ReturnType<typeof createShippedBundles>, BundleResult>>>
  | undefined;

/** Builds the bundles that ship, once for all test files of this process. */
export function getShippedBuild(): NonNullable<typeof shippedBuild> {
  shippedBuild ??= buildAll();
  return shippedBuild;
}

async function buildAll(): Promise<
  Readonly<Record<keyof ReturnType<typeof createShippedBundles>, BundleResult>>
> {
  const { node, host, web, page, diagram, mcp } = createShippedBundles(true);
  const [nodeResult, hostResult, webResult, pageResult, diagramResult, mcpResult] = await Promise.all(
    [node, host, web, page, diagram, mcp].map((options) =>
      build({
        ...options,
        absWorkingDir: repositoryRoot,
        write: false,
        metafile: true,
        logLevel: 'error',
      } as const),
    ),
  );
  if (!nodeResult || !hostResult || !webResult || !pageResult || !diagramResult || !mcpResult) {
    throw new Error('A bundle is missing.');
  }
  return {
    ...{ node: nodeResult, host: hostResult, web: webResult, page: pageResult, diagram: diagramResult },
    mcp: mcpResult,
  };
}
