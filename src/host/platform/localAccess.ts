import type { Uri } from 'vscode';

/** A connection from another program of this user. */
export interface LocalConnection {
  /** Text as it arrives, in pieces of any size. */
  onText(listener: (text: string) => void): void;
  /** Called once. */
  onClose(listener: () => void): void;
  /** Ends the connection if the other side doesn't read. */
  send(text: string): void;
  close(): void;
}

/** A socket that only this user can connect to. */
export interface LocalSocket {
  /** Path of a Unix socket, or name of a Windows pipe. */
  readonly address: string;
  close(): Promise<void>;
}

/** A folder that only this user can read, with files that only this user can read. */
export interface PrivateFolder {
  readonly path: string;
  listFiles(): Promise<string[]>;
  /** Undefined if there is no such file. */
  readFile(name: string): Promise<string | undefined>;
  /** Replaces the file as a whole. `executable`: its owner can run it. */
  writeFile(name: string, text: string, executable?: boolean): Promise<void>;
  /** Appends a short line, whole even if other windows append at the same time. */
  appendLine(name: string, line: string): Promise<void>;
  removeFile(name: string): Promise<void>;
  /** Removes what a crash left of files that were being written. */
  removePartialFiles(): Promise<void>;
}

/** What only the Node.js host can do: talk to other programs on this machine, and keep files private. */
export interface LocalAccess {
  /** The program that runs JavaScript files, and what its environment needs for that. */
  readonly node: { readonly path: string; readonly env: Readonly<Record<string, string>> };
  readonly isWindows: boolean;
  openFolder(folder: Uri): Promise<PrivateFolder>;
  listen(onConnection: (connection: LocalConnection) => void): Promise<LocalSocket>;
  /** Returns whether anything still listens; removes what a crash left if nothing does. */
  removeIfAbandoned(address: string): Promise<boolean>;
  /**
   * Runs a program without a shell; resolves to what it wrote. `input`: what it reads, until `isDone` with what it wrote so
   * far. Rejects if it can't be started, or isn't done in 20 seconds.
   */
  run(
    command: string,
    args: readonly string[],
    input: string,
    isDone: (output: string) => boolean,
  ): Promise<string>;
}
