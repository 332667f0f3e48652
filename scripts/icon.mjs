// Draws media/icon.png, which the Marketplace and VS Code show, from docs/icon.svg.
// Usage: node --import tsx scripts/icon.mjs
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumArgs, findChromium } from '../test/vscode/chromium.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const svg = await readFile(path.join(root, 'docs/icon.svg'), 'utf8');
const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
try {
  const page = await browser.newPage({ viewport: { width: 128, height: 128 } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
  await page.screenshot({ path: path.join(root, 'media/icon.png'), omitBackground: true });
} finally {
  await browser.close();
}
