import * as vscode from 'vscode';
import { Agent } from '../names';
import type { AgentServices } from './ask';
import { AskBotTool } from './askBotTool';
import { Participant } from './participant';

/** Offers the bots to VS Code's Chat: a tool for its agents and `@parley` for people. Nothing where there is no Chat. */
export function registerAgents(services: AgentServices): vscode.Disposable {
  const registered: vscode.Disposable[] = [];
  // Editors that are made from VS Code may be without the one or the other.
  if (vscode.lm?.registerTool) registered.push(vscode.lm.registerTool(Agent.tool, new AskBotTool(services)));
  if (vscode.chat?.createChatParticipant) {
    const parley = new Participant(services);
    const participant = vscode.chat.createChatParticipant(
      Agent.participant,
      (request, context, response, token) => parley.handle(request, context, response, token),
    );
    participant.iconPath = new vscode.ThemeIcon('comment-discussion');
    participant.followupProvider = parley;
    registered.push(participant);
  }
  return vscode.Disposable.from(...registered);
}
