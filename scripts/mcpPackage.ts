// Makes an npm package of the MCP server, for machines without VS Code.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { createShippedBundles } from './bundles';
import { createNotices, NOTICES_FILE } from './notices';
import { runNpm } from './run.mjs';

/** The package's name and that of its command. */
export const MCP_PACKAGE = 'parley-mcp';

/** Builds the server for production and packs it, with the notices of what is in it, as a file for `npx` or `npm install`. */
export async function packMcpServer(root: string, file: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-mcp-package-'));
  try {
    const { mcp } = createShippedBundles(true);
    const { metafile } = await esbuild.build({
      ...mcp,
      absWorkingDir: root,
      outdir: folder,
      metafile: true,
      logLevel: 'error',
    });
    await writeFile(path.join(folder, NOTICES_FILE), await createNotices(root, [metafile]));
    await cp(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
    await cp(path.join(root, 'docs/agents.md'), path.join(folder, 'README.md'));
    const { version, license, repository, homepage, engines } = manifest;
    const about = {
      name: MCP_PACKAGE,
      version,
      description: 'An MCP server that asks the bots of a conversational-AI service',
      license,
      repository,
      homepage,
      engines: { node: engines.node },
      bin: { [MCP_PACKAGE]: 'server.js' },
    };
    await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(about, undefined, 2)}\n`);
    await runNpm(['pack', '--silent', '--ignore-scripts'], { cwd: folder });
    await cp(path.join(folder, `${MCP_PACKAGE}-${version}.tgz`), file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
