import { closeSync, mkdirSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getCacheDir, repositoryRoot } from '../vscode/cacheDir';
import { spawnGroup } from '../vscode/processGroup';
import { createFailure, getTail, type StageRun } from './run';
import type { CheckStage, VSCodeStage } from './stages';
import type { TestEvent } from './worker/events';
import { SILENCE_LIMIT_MS, Watchdog } from './worker/watchdog';

/** How often the events of tests inside VS Code are read, in ms. */
const EVENTS_POLL_MS = 200;

/** Runs a stage that is a single check. */
export async function runCheck(stage: CheckStage, run: StageRun, env: NodeJS.ProcessEnv): Promise<void> {
  const started = performance.now();
  run.begin(stage.name);
  const { code, output } = await runCommand(stage, env, () => false);
  const durationMs = performance.now() - started;
  const result = { file: '', title: stage.name, durationMs };
  run.add(code === 0 ? { ...result, state: 'passed' } : { ...result, state: 'failed', error: output });
}

/** Runs a stage whose tests run inside VS Code. */
export async function runInVSCode(
  stage: VSCodeStage,
  run: StageRun,
  env: NodeJS.ProcessEnv,
  grep?: string,
): Promise<void> {
  const eventsFile = path.join(getCacheDir(), `events-${process.pid}.jsonl`);
  // A fresh clone has no folder for it.
  mkdirSync(path.dirname(eventsFile), { recursive: true });
  writeFileSync(eventsFile, '');
  let current = 'VS Code starts';
  let isDone = false;
  const reader = new EventReader(eventsFile);
  const readEvents = () => {
    const events = reader.read();
    for (const event of events) {
      if (event.type === 'begin') {
        current = event.title;
        run.begin(event.title);
      } else if (event.type === 'result') run.add(event.result);
      else isDone = true;
    }
    return events.length > 0;
  };
  const testEnv = {
    ...env,
    PARLEY_TEST_EVENTS: eventsFile,
    ...(grep === undefined ? {} : { PARLEY_TEST_GREP: grep }),
    ...(stage.only ? { PARLEY_TEST_ONLY: stage.only.join(',') } : {}),
  };
  const { code, output } = await runCommand(stage, testEnv, readEvents);
  readEvents();
  reader.close();
  rmSync(eventsFile);
  if (!isDone) run.add(createFailure('', current, `VS Code ended with code ${code}.\n${getTail(output)}`));
}

/** Runs a stage's command; polls `hasNews` and stops the command after too long without news. */
async function runCommand(
  { name, run }: CheckStage | VSCodeStage,
  env: NodeJS.ProcessEnv,
  hasNews: () => boolean,
): Promise<{ readonly code: number | undefined; readonly output: string }> {
  let output = '';
  const group = spawnGroup(run.command, run.args, {
    cwd: repositoryRoot,
    shell: run.shell ?? false,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const collect = (data: Buffer) => {
    output += data;
  };
  group.child.stdout?.on('data', collect);
  group.child.stderr?.on('data', collect);
  const watchdog = new Watchdog(() => {
    output += `\nStopped: ${name} reported nothing for ${SILENCE_LIMIT_MS / 1000} s.\n`;
    void group.stop();
  });
  const poll = setInterval(() => {
    if (hasNews()) watchdog.reset();
  }, EVENTS_POLL_MS);
  const code = await group.ended;
  clearInterval(poll);
  watchdog.stop();
  return { code, output };
}

/** Reads events that another process appends to a file of JSON lines. */
class EventReader {
  readonly #descriptor: number;
  #rest = Buffer.alloc(0);

  constructor(file: string) {
    this.#descriptor = openSync(file, 'r');
  }

  /** Returns the complete lines added since the last call. */
  read(): TestEvent[] {
    const buffer = Buffer.alloc(2 ** 20);
    let data = this.#rest;
    for (let read = 1; read > 0; ) {
      read = readSync(this.#descriptor, buffer);
      data = Buffer.concat([data, buffer.subarray(0, read)]);
    }
    const end = data.lastIndexOf('\n') + 1;
    this.#rest = data.subarray(end);
    return data
      .subarray(0, end)
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
