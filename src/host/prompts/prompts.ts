/** What lists and inserts prompts, in one script that is loaded when they are first used. */

export { PersonalPrompts } from './personalPrompts';
export { PromptActions } from './promptActions';
