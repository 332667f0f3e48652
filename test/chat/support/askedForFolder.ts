import type { FolderChoice } from '../../../src/chat/documents/folderQuestions';
import type { Service } from '../../../src/chat/remote/service';

/** A user who is asked for a folder, and whose choice is remembered. */
export class AskedForFolder implements FolderChoice {
  /** The folder that is set or remembered. */
  folderId: string | undefined;
  /** The refused folder of each question so far. */
  readonly questions: (string | undefined)[] = [];
  /** Returns the user's answer; undefined dismisses the question. */
  answer: (service: Service, signal: AbortSignal) => Promise<string | undefined> = async () => undefined;

  getFolderId(): string | undefined {
    return this.folderId;
  }

  async chooseFolder(
    service: Service,
    refusedId: string | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    this.questions.push(refusedId);
    const chosen = await this.answer(service, signal);
    this.folderId = chosen ?? this.folderId;
    return chosen;
  }
}
