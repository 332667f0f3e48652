import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Frame, type Page } from 'playwright-core';
import { packageExtension } from '../../../scripts/package';
import { findPanelFrame } from '../../e2e/support/panelFrame';
import { Person } from '../../e2e/support/person';
import { QuickInput } from '../../e2e/support/quickInput';
import { testKeybindings } from '../../e2e/support/vscodeWindow';
import { installExtension, startBrowserVSCode } from '../../vscode/browserVSCode';
import { chromiumArgs, findChromium } from '../../vscode/chromium';
import { quietSettings } from '../../vscode/quietSettings';

const STEP_TIMEOUT_MS = 30_000;

/** A VS Code with the packaged Parley in its side bar and the bare echo in an editor tab, both visible. */
export interface BenchWindow {
  readonly page: Page;
  readonly person: Person;
  panel(): Promise<Frame>;
  readonly echo: Frame;
  close(): Promise<void>;
}

/** Opens VS Code. `echoUrl`: the URL from which the echo's host reads its chunks. */
export async function openWindow(baseUrl: string, echoUrl: string): Promise<BenchWindow> {
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  const dirs = { userDataDir: path.join(dir, 'user'), extensionsDir: path.join(dir, 'extensions') };
  const workspace = path.join(dir, 'workspace');
  await mkdir(workspace);
  await writeFile(path.join(workspace, 'notes.txt'), 'Nothing to see.\n');
  // A new profile starts with the contents of its extensions folder.
  await cp(path.join(__dirname, 'echo'), path.join(dirs.extensionsDir, 'parley-bench.echo-1.0.0'), {
    recursive: true,
  });
  await installExtension(await getPackagedExtension(), dirs);
  await mkdir(path.join(dirs.userDataDir, 'User'), { recursive: true });
  const keybindings = path.join(dirs.userDataDir, 'User', 'keybindings.json');
  await writeFile(keybindings, JSON.stringify(testKeybindings));
  const settings = { ...quietSettings, 'parley.baseUrl': baseUrl };
  const env = { PARLEY_BENCH_ECHO: echoUrl };
  const vscode = await startBrowserVSCode({ ...dirs, settings, env });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  // tsx wraps functions in a helper that the page lacks.
  await context.addInitScript('globalThis.__name = (target) => target');
  const page = await context.newPage();
  await page.goto(vscode.folderUrl(workspace));
  const quickInput = new QuickInput(() => page);
  const panel = () => findPanelFrame(page, 'view');
  return {
    page,
    person: new Person({ page, quickInput, panel, runCommand: (title) => quickInput.runCommand(title) }),
    panel,
    echo: await findEchoFrame(page),
    async close() {
      await browser.close();
      await vscode.stop();
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Returns the `.vsix` to measure: `PARLEY_VSIX`, or a package of this checkout. */
async function getPackagedExtension(): Promise<string> {
  return process.env.PARLEY_VSIX ?? (await packageExtension());
}

async function findEchoFrame(page: Page): Promise<Frame> {
  for (const deadline = performance.now() + STEP_TIMEOUT_MS; performance.now() < deadline; ) {
    for (const frame of page.frames()) {
      if (
        (await frame
          .locator('#echo')
          .count()
          .catch(() => 0)) > 0
      )
        return frame;
    }
    await page.waitForTimeout(50);
  }
  throw new Error("The echo's page isn't there.");
}
