import * as vscode from 'vscode';
import { Agent } from '../base/names';
import type { AskBotTool } from './askBotTool';
import type { Participant } from './participant';

/**
 * Registers the tool for agents and the participant `@parley` with VS Code's Chat, if there is one. Both are
 * loaded on first use.
 */
export function registerAgents(
  getTool: () => Promise<AskBotTool>,
  getParticipant: () => Promise<Participant>,
): vscode.Disposable {
  const registered: vscode.Disposable[] = [];
  // Editors based on VS Code may lack one or both of these APIs.
  if (vscode.lm?.registerTool) {
    const tool: vscode.LanguageModelTool<unknown> = {
      prepareInvocation: async (options) => (await getTool()).prepareInvocation(options),
      invoke: async (options, token) => (await getTool()).invoke(options, token),
    };
    registered.push(vscode.lm.registerTool(Agent.tool, tool));
  }
  if (vscode.chat?.createChatParticipant) {
    const participant = vscode.chat.createChatParticipant(
      Agent.participant,
      async (request, context, response, token) =>
        (await getParticipant()).handle(request, context, response, token),
    );
    participant.iconPath = new vscode.ThemeIcon('comment-discussion');
    participant.followupProvider = {
      provideFollowups: async (result) => (await getParticipant()).provideFollowups(result),
    };
    registered.push(participant);
  }
  return vscode.Disposable.from(...registered);
}
