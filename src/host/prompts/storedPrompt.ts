import type * as vscode from 'vscode';
import { getVariableNames } from '../../chat/prompts/promptParts';
import type { Prompt as BuiltIn } from '../base/settings';

/** A prompt that can be inserted into a message. */
export interface Prompt {
  readonly id: string;
  readonly source: 'personal' | 'workspace' | 'builtIn';
  readonly name: string;
  readonly description?: string;
  readonly argumentHint?: string;
  readonly body: string;
  /** The file of a prompt that has one. */
  readonly uri?: vscode.Uri;
  /** Set for a built-in prompt, which takes the selection as a chip. */
  readonly builtIn?: BuiltIn;
}

export const SELECTION_VARIABLES = ['selection', 'selectedText'] as const;

export function takesSelection({ body, builtIn }: Prompt): boolean {
  const names = getVariableNames(body);
  return builtIn !== undefined || SELECTION_VARIABLES.some((name) => names.has(name));
}
