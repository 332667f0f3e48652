/** Lazy entry point for the chat participant and the language-model tool. */

export { AskBotTool } from './askBotTool';
export { Participant } from './participant';
