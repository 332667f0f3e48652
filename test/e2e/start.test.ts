import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { npmCommand } from '../../scripts/run.mjs';
import { openPatientPage } from '../support/patientPages';
import { runAll } from '../support/repetition';
import { collectFailure, onTestFailure } from '../support/testFailure';
import { getSharedCacheDir, repositoryRoot } from '../vscode/cacheDir';
import { type ProcessGroup, spawnGroup } from '../vscode/processGroup';
import { findPanelFrame } from './support/panelFrame';
import { QuickInput } from './support/quickInput';

describe('npm start', () => {
  // On other platforms it opens a desktop VS Code if one is installed.
  if (process.platform !== 'linux') return;

  let folder: string;
  let started: ProcessGroup | undefined;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-start-')));
  });
  afterEach(async () => {
    await started?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('leads from a fresh clone to the first answer by its printed steps, and Ctrl+C ends all processes that it started', async () => {
    const clone = await makeClone();
    const { output, group } = start(clone);
    const [, address = ''] = await waitForOutput(output, group, /1\. Open (\S+)/);
    const [, key = ''] = await waitForOutput(output, group, /press “Set API Key” and paste {3}(\S+)/);
    await waitForOutput(output, group, /Ctrl\+C here ends everything/);

    await getAnswer(address, key);

    const settings = path.join(clone, '.vscode-test/start/user/User/settings.json');
    const baseUrl = JSON.parse(await readFile(settings, 'utf8'))['parley.baseUrl'];
    assert.equal((await fetch(`${baseUrl}/bots`)).status, 401);
    // As a terminal does: to all processes in the foreground.
    process.kill(-(group.child.pid ?? 0), 'SIGINT');
    await group.ended;
    assert.match(output(), /Ending everything/);
    for (const url of [address, `${baseUrl}/bots`]) await assert.rejects(fetch(url), url);
  });

  /**
   * Copies the tracked files in their current state. node_modules is shared with this checkout, except in
   * `npm run test:all`; VS Code comes from the cache.
   */
  async function makeClone(): Promise<string> {
    const clone = path.join(folder, 'clone');
    const git = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
    const { stdout } = await promisify(execFile)('git', git, { cwd: repositoryRoot, maxBuffer: 2 ** 26 });
    for (const name of stdout.split('\0').filter(Boolean)) {
      const [from, to] = [path.join(repositoryRoot, name), path.join(clone, name)];
      // A file that is deleted but still in git's index is missing.
      await cp(from, to, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
    if (!runAll) {
      await symlink(
        await realpath(path.join(repositoryRoot, 'node_modules')),
        path.join(clone, 'node_modules'),
      );
    }
    return clone;
  }

  function start(cwd: string): { readonly output: () => string; readonly group: ProcessGroup } {
    const { command, args, shell } = npmCommand(['start']);
    const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
    const group = spawnGroup(command, args, {
      cwd,
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Without a desktop, and with a separate sample folder.
      env: { ...env, XDG_CACHE_HOME: path.join(folder, 'cache'), PARLEY_CACHE_DIR: getSharedCacheDir() },
    });
    started = group;
    let text = '';
    for (const stream of [group.child.stdout, group.child.stderr]) {
      stream?.on('data', (data) => {
        text += data;
      });
    }
    return { output: () => text, group };
  }

  /** Waits until `pattern` is printed; throws if the process ends first. */
  async function waitForOutput(
    output: () => string,
    group: ProcessGroup,
    pattern: RegExp,
  ): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(output());
      if (match) return match;
      const ended = group.ended.then(() => Promise.reject(new Error(`npm start ended:\n${output()}`)));
      await Promise.race([once(group.child.stdout ?? group.child, 'data'), ended]);
    }
  }

  /** Follows the printed steps up to Guide's answer. */
  async function getAnswer(address: string, key: string): Promise<void> {
    const page = await openPatientPage({ viewport: { width: 1400, height: 900 } });
    const stopWatching = watchPage(page);
    try {
      await page.goto(address);
      const panel = await findPanelFrame(page, 'view');
      const quickInput = new QuickInput(() => page);
      await panel.getByRole('button', { name: 'Set API Key', exact: true }).click();
      await quickInput.waitFor('API key');
      await quickInput.type(key);
      await panel.getByRole('button', { name: 'Choose Bot', exact: true }).click();
      await quickInput.pick('Guide');
      const composer = panel.getByRole('textbox', { name: 'Message' });
      await panel.waitForFunction(() => document.hasFocus() && document.activeElement?.id === 'message');
      await composer.fill('Hello');
      await composer.press('Enter');
      const answer = panel.getByRole('article', { name: 'Guide', exact: true });
      await answer.and(panel.locator('[aria-busy="false"], :not([aria-busy])')).waitFor();
      assert.match(await answer.innerText(), /\w{3}/);
    } catch (error) {
      // The browser is closed before the hook that collects failures runs.
      await collectFailure('npm start');
      throw error;
    } finally {
      stopWatching();
      await page.context().browser()?.close();
    }
  }
});

/** Collects a screenshot and the console's messages when a test fails. Returns a function that stops it. */
function watchPage(page: Page): () => void {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(`${message.type()} ${message.text()}`));
  return onTestFailure(async (kept) => {
    await page.screenshot({ path: path.join(kept, 'window.png') });
    await writeFile(path.join(kept, 'console.txt'), messages.join('\n'));
  });
}
