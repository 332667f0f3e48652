import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { createShippedBundles } from '../../../scripts/bundles';
import { createDiagramPolicy } from '../../../src/host/diagrams/diagramPolicy';
import type { DiagramMessage } from '../../../src/shared/protocol/diagram';
import { repositoryRoot } from '../../vscode/cacheDir';
import { newContext } from '../support/browser';
import { PATIENT_TIMEOUTS } from '../support/patientTimers';
import { bodyClasses, type Theme, themeStyles } from '../support/themes';
import type { exposed } from './exposed';

declare global {
  interface Window {
    exposed: typeof exposed;
    posted: DiagramMessage[];
  }
}

const ORIGIN = 'https://diagram.test';

let script: Promise<string> | undefined;

/** The page of a diagram's tab, as it ships, without VS Code around it. */
export interface DiagramPage {
  readonly page: Page;
  /** Addresses that were requested besides the page's own. */
  readonly strays: readonly string[];
  /** Posts a source as the host does; resolves once the page is done with it. */
  draw(source: string): Promise<void>;
  close(): Promise<void>;
}

export async function openDiagramPage(
  theme: Theme,
  size = { width: 500, height: 400 },
): Promise<DiagramPage> {
  script ??= bundleScript();
  const contents = await script;
  const context = await newContext({
    viewport: size,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const strays: string[] = [];
  await context.route('**/*', (route) => {
    const url = route.request().url();
    if (url === `${ORIGIN}/`) return route.fulfill({ contentType: 'text/html', body: createHtml(theme) });
    if (url === `${ORIGIN}/main.js`) return route.fulfill({ contentType: 'text/javascript', body: contents });
    strays.push(url);
    return route.abort();
  });
  await page.goto(`${ORIGIN}/`);
  await page.waitForFunction(() => window.posted.length === 1);
  return {
    page,
    strays,
    async draw(source) {
      await page.evaluate((text) => {
        window.posted.length = 0;
        window.postMessage({ type: 'diagram', source: text }, '*');
      }, source);
      await page.waitForFunction(() => window.posted.some(({ type }) => type === 'done'));
    },
    close: () => context.close(),
  };
}

function createHtml(theme: Theme): string {
  const nonce = 'test';
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Parley</title>
<meta http-equiv="Content-Security-Policy" content="${createDiagramPolicy(nonce)}">
<style>${themeStyles(theme)}</style>
<script nonce="${nonce}">${PATIENT_TIMEOUTS} window.posted = []; window.acquireVsCodeApi = () => ({ postMessage: (it) => posted.push(it) });</script>
<script type="module" nonce="${nonce}" src="main.js"></script>
</head><body class="${bodyClasses[theme]}"></body></html>`;
}

async function bundleScript(): Promise<string> {
  const { outputFiles } = await build({
    ...createShippedBundles(true).diagram,
    absWorkingDir: repositoryRoot,
    entryPoints: { main: 'test/webview/diagrams/exposed.ts' },
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
