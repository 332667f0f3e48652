import * as vscode from 'vscode';
import { Agent } from '../base/names';
import type { AgentHost } from './agentHost';
import type { AskBotTool } from './askBotTool';
import type { Participant } from './participant';

/**
 * Registers the MCP server with VS Code, which starts it when one of its agents needs it. In a web worker, there are no
 * processes. Nothing is loaded before VS Code asks.
 */
export function provideMcpServer(
  version: string,
  getHost: () => Promise<AgentHost | undefined>,
): vscode.Disposable {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  // Editors based on VS Code may lack the API.
  if (!vscode.lm?.registerMcpServerDefinitionProvider || process?.versions?.node === undefined)
    return vscode.Disposable.from();
  return vscode.lm.registerMcpServerDefinitionProvider(Agent.mcpProvider, {
    // The command is known when the server starts.
    provideMcpServerDefinitions: () => [
      new vscode.McpStdioServerDefinition(Agent.mcpServer, 'node', [], {}, version),
    ],
    resolveMcpServerDefinition: async (server) => {
      const own = await (await getHost())?.getOwnServer();
      if (!own || !(server instanceof vscode.McpStdioServerDefinition)) return undefined;
      server.command = own.command;
      server.args = [...own.args];
      server.env = { ...own.env };
      return server;
    },
  });
}

/**
 * Registers the tool for agents and the participant `@parley` with VS Code's Chat, if there is one. Both are
 * loaded on first use.
 */
export function provideAgentApis(
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
