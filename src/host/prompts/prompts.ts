/** Lazy entry point for listing and inserting prompts. */

export { PersonalPrompts } from './personalPrompts';
export { PromptActions } from './promptActions';
