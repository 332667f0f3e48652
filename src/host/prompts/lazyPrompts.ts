/** Lazy entry point for listing and inserting prompts. */

export { fillAgentPrompt, toAgentPrompts } from './agentPrompts';
export { PersonalPrompts } from './personalPrompts';
export { PromptActions } from './promptActions';
