import { packageExtension } from '../../scripts/package';
import { installBrowserVSCode } from '../vscode/browserInstall';
import { repositoryRoot } from '../vscode/cacheDir';
import { findChromium } from '../vscode/chromium';
import { spawnGroup } from '../vscode/processGroup';
import type { Need } from './stages';

/** Creates what stages need, each once and on demand. */
export class Preparations {
  /** The environment of the tests' processes. */
  readonly env: NodeJS.ProcessEnv = { ...process.env };
  readonly #made = new Map<Need, Promise<void>>();

  /** Resolves when all needs are met. Rejects with an Error that says what is missing. */
  async ensure(needs: readonly Need[]): Promise<void> {
    await Promise.all(needs.map((need) => this.#ensureOne(need)));
  }

  #ensureOne(need: Need): Promise<void> {
    const existing = this.#made.get(need);
    if (existing) return existing;
    const made = this.#make(need);
    this.#made.set(need, made);
    return made;
  }

  async #make(need: Need): Promise<void> {
    switch (need) {
      case 'chromium':
        this.env.PARLEY_CHROMIUM = await findChromium();
        return;
      case 'vscode':
        await installBrowserVSCode('newest');
        return;
      case 'oldestVSCode':
        await installBrowserVSCode('oldest');
        return;
      case 'package':
        this.env.PARLEY_VSIX = await packageExtension();
        return;
      case 'build':
        // Both builds write to dist, so they run one after the other.
        await this.ensure(['package']);
        await build();
    }
  }
}

async function build(): Promise<void> {
  let output = '';
  const { child, ended } = spawnGroup(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], {
    cwd: repositoryRoot,
    stdio: 'pipe',
  });
  child.stderr?.on('data', (data) => {
    output += data;
  });
  if ((await ended) !== 0) throw new Error(`The build failed:\n${output}`);
}
