import { NodeStorage } from '../../../src/host/platform/nodeStorage';

type Step = 'append' | 'create' | 'list' | 'read' | 'remove' | 'rename' | 'replace' | 'stat';

/** A disk that refuses steps, as Windows does while another program has a file open, or a full or failing one. */
export class RefusingStorage extends NodeStorage {
  /** `name` is the file's name before the step, or empty for that of the folder. */
  refuses: (step: Step, name: string) => boolean = () => false;

  override async appendFile(...[name, ...rest]: Parameters<NodeStorage['appendFile']>) {
    this.#check('append', name);
    return super.appendFile(name, ...rest);
  }

  override async createFile(name: string, bytes: Uint8Array): Promise<boolean> {
    this.#check('create', name);
    return super.createFile(name, bytes);
  }

  override async listNames(): Promise<string[]> {
    this.#check('list', '');
    return super.listNames();
  }

  override async readFile(...[name, ...range]: Parameters<NodeStorage['readFile']>) {
    this.#check('read', name);
    return super.readFile(name, ...range);
  }

  override async removeFile(name: string): Promise<boolean> {
    this.#check('remove', name);
    return super.removeFile(name);
  }

  override async renameFile(from: string, to: string): Promise<boolean> {
    this.#check('rename', from);
    return super.renameFile(from, to);
  }

  override async replaceFile(name: string, bytes: Uint8Array): Promise<void> {
    this.#check('replace', name);
    await super.replaceFile(name, bytes);
  }

  override async statFile(name: string) {
    this.#check('stat', name);
    return super.statFile(name);
  }

  #check(...step: Parameters<RefusingStorage['refuses']>): void {
    if (this.refuses(...step)) throw new Error(`Refused to ${step.join(' ').trimEnd()}`);
  }
}
