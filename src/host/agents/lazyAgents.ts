/** Lazy entry point for the chat participant, the language-model tool, and the agents of other programs. */

export { openAgentBudget } from './agentBudget';
export { AgentConnector } from './agentConnector';
export { AgentHost } from './agentHost';
export { AskBotTool } from './askBotTool';
export { Participant } from './participant';
