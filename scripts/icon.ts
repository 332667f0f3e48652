// Renders media/icon.png (256 px), which the Marketplace and VS Code show, from docs/icon.svg.
// Usage: node scripts/run.mjs scripts/icon.ts
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumArgs, findChromium } from '../test/vscode/chromium';

const root = path.join(__dirname, '..');
void drawIcon();

async function drawIcon(): Promise<void> {
  const svg = await readFile(path.join(root, 'docs/icon.svg'), 'utf8');
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
  try {
    const page = await browser.newPage({ viewport: { width: 128, height: 128 }, deviceScaleFactor: 2 });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
    await page.screenshot({ path: path.join(root, 'media/icon.png'), omitBackground: true });
  } finally {
    await browser.close();
  }
}
