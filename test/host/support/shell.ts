import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What every prompt of the shell ends with. */
const PROMPT = 'ready> ';

/** Whether this machine has what `Shell` is made of. */
export function hasShell(): boolean {
  return process.platform === 'linux' && ['/usr/bin/script', '/bin/bash'].every((file) => existsSync(file));
}

/** A bash at its prompt, in a pseudoterminal, in a folder of its own. */
export class Shell {
  readonly folder: string;
  readonly #process: ChildProcess;
  #output = '';
  #seen: () => void = () => undefined;

  private constructor(folder: string) {
    this.folder = folder;
    // util-linux's script gives it the pseudoterminal, and hands on what is written here.
    this.#process = spawn('script', ['-qec', 'bash --norc --noprofile -i', '/dev/null'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        PS1: PROMPT,
        TERM: 'xterm-256color',
        INPUTRC: '/dev/null',
        LC_ALL: 'C.UTF-8',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      this.#seen();
    });
  }

  static async start(): Promise<Shell> {
    const shell = new Shell(await mkdtemp(path.join(tmpdir(), 'parley-shell-')));
    await shell.#until(`\u001b[?2004h${PROMPT}`);
    return shell;
  }

  /** Types keys as a terminal sends them. */
  type(keys: string): void {
    this.#process.stdin?.write(keys);
  }

  /** Takes away what stands behind the prompt, and resolves once the shell has read all that was typed. */
  async clear(): Promise<void> {
    this.#output = '';
    // Ctrl+U; the answer, unlike its echo, has no quotes.
    this.type('\u0015echo "all of it ""was read"\r');
    await this.#until(`all of it was read\r\n\u001b[?2004h${PROMPT}`);
  }

  has(file: string): boolean {
    return existsSync(path.join(this.folder, file));
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('close', resolve));
    this.#process.kill('SIGKILL');
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }

  #until(text: string): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!this.#output.includes(text)) return;
        this.#seen = () => undefined;
        resolve();
      };
      this.#seen = look;
      look();
    });
  }
}
