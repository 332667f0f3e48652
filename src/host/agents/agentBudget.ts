import type { Memento } from 'vscode';
import type { PrivateFolder } from '../platform/localAccess';

const FILE_NAME = /^questions-[\d-]+\.log$/;

type BudgetFolder = Pick<PrivateFolder, 'appendLine' | 'listFiles' | 'readFile' | 'removeFile'>;

/** A question that was counted. */
export interface CountedQuestion {
  /** Takes it back, because the service got nothing. */
  release(): Promise<void>;
}

/** Counts the questions of agents by day, for all windows of this machine: each is a line of the day's file. */
export class AgentBudget {
  readonly #folder: BudgetFolder;
  readonly #now: () => Date;

  constructor(folder: BudgetFolder, now = () => new Date()) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Counts a question unless the day's limit is reached; then resolves to undefined. Throws file system errors. */
  async count(limit: number): Promise<CountedQuestion | undefined> {
    const file = getFileName(this.#now());
    if (await this.isUsedUp(limit)) return undefined;
    const id = crypto.randomUUID();
    const question = { release: () => this.#folder.appendLine(file, `-${id}`) };
    await this.#folder.appendLine(file, `+${id}`);
    // Another window, or another agent, may have counted at the same time: the order of the lines decides.
    if ((await this.#read(file)).indexOf(id) < limit) return question;
    await question.release();
    return undefined;
  }

  /** Returns whether the day's limit is reached. Throws file system errors. */
  async isUsedUp(limit: number): Promise<boolean> {
    return (await this.#read(getFileName(this.#now()))).length >= limit;
  }

  /** Removes the files of other days. */
  async removeOld(): Promise<void> {
    const today = getFileName(this.#now());
    const old = (await this.#folder.listFiles()).filter((name) => FILE_NAME.test(name) && name !== today);
    await Promise.all(old.map((name) => this.#folder.removeFile(name)));
  }

  /** Returns the IDs of the questions that count, in order. */
  async #read(file: string): Promise<string[]> {
    const lines = ((await this.#folder.readFile(file)) ?? '').split('\n');
    const released = new Set(lines.flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : [])));
    return lines
      .flatMap((line) => (line.startsWith('+') ? [line.slice(1)] : []))
      .filter((id) => !released.has(id));
  }
}

/** Returns the name of a day's file, in local time. */
function getFileName(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `questions-${date.getFullYear()}-${month}-${day}.log`;
}

/** Opens the count in the folder of all that agents need, or in VS Code's storage if there is none, as in a web worker. */
export async function openAgentBudget(
  host: { openFolder(): Promise<BudgetFolder> } | undefined,
  state: Memento,
): Promise<AgentBudget> {
  const budget = new AgentBudget(host ? await host.openFolder() : toFolder(state));
  await budget.removeOld();
  return budget;
}

function toFolder(state: Memento): BudgetFolder {
  return {
    readFile: async (name) => state.get<string>(name),
    listFiles: async () => [...state.keys()],
    // VS Code returns a new value before it is saved, so nothing is lost if two lines are added at the same time.
    appendLine: async (name, line) => state.update(name, `${state.get(name, '')}${line}\n`),
    removeFile: async (name) => state.update(name, undefined),
  };
}
