/** What answers VS Code's Chat and its agents, in one script that is loaded when they first ask. */

export { AskBotTool } from './askBotTool';
export { Participant } from './participant';
