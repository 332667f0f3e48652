import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The end of the shell's prompt. */
const PROMPT = 'ready> ';

/** Returns whether this machine has the programs that `Shell` needs. */
export function hasShell(): boolean {
  return process.platform === 'linux' && ['/usr/bin/script', '/bin/bash'].every((file) => existsSync(file));
}

/** An interactive bash in a pseudoterminal, with a temporary working folder. */
export class Shell {
  readonly folder: string;
  readonly #process: ChildProcess;
  #output = '';
  #seen: () => void = () => undefined;

  private constructor(folder: string) {
    this.folder = folder;
    // `script` from util-linux creates the pseudoterminal and forwards its own input.
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

  /** Sends keys as a terminal does. */
  type(keys: string): void {
    this.#process.stdin?.write(keys);
  }

  /** Clears the prompt; resolves once the shell has read all input. */
  async clear(): Promise<void> {
    this.#output = '';
    // Ctrl+U clears the line. The output, unlike the echo of the command, has no quotes.
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
      const check = () => {
        if (!this.#output.includes(text)) return;
        this.#seen = () => undefined;
        resolve();
      };
      this.#seen = check;
      check();
    });
  }
}
