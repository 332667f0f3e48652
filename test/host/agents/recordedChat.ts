import * as vscode from 'vscode';
import type { Participant } from '../../../src/host/agents/participant';

/** A participant's response. */
export interface Recorded {
  readonly text: string;
  readonly buttons: readonly vscode.Command[];
  readonly anchors: readonly string[];
  /** What was shown as progress, which VS Code renders as Markdown. */
  readonly progress: readonly string[];
  readonly result: vscode.ChatResult;
}

/** A Chat session with the participant, with its history. */
export class RecordedChat {
  readonly #participant: Participant;
  /** Requests and responses in turn, as VS Code passes them. */
  history: (vscode.ChatRequestTurn | vscode.ChatResponseTurn)[] = [];

  constructor(participant: Participant) {
    this.#participant = participant;
  }

  /** `token`: if it is canceled, the result's metadata is not kept, as in VS Code. */
  async say(
    prompt: string,
    references: readonly Partial<vscode.ChatPromptReference>[] = [],
    token: vscode.CancellationToken = new vscode.CancellationTokenSource().token,
  ): Promise<Recorded> {
    let text = '';
    const buttons: vscode.Command[] = [];
    const anchors: string[] = [];
    const progress: string[] = [];
    const response: Partial<vscode.ChatResponseStream> = {
      markdown: (value) => {
        text += typeof value === 'string' ? value : value.value;
      },
      button: (command) => void buttons.push(command),
      anchor: (value, title) => void anchors.push(`${title} ${value}`),
      progress: (value) => void progress.push(value),
    };
    const request = { prompt, references: references as vscode.ChatPromptReference[], toolReferences: [] };
    const result = await this.#participant.handle(
      request,
      { history: this.history },
      response as vscode.ChatResponseStream,
      token,
    );
    const kept = token.isCancellationRequested ? {} : result;
    this.history = [
      ...this.history,
      { prompt } as vscode.ChatRequestTurn,
      { result: kept } as vscode.ChatResponseTurn,
    ];
    return { text, buttons, anchors, progress, result };
  }

  /** Removes the last request from the history, as an edit, a retry or a checkpoint does. */
  goBack(): void {
    this.history = this.history.slice(0, -2);
  }
}
