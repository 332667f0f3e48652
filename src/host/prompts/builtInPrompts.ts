import * as vscode from 'vscode';
import { type Prompt as BuiltIn, getPrompt } from '../base/settings';
import type { Prompt } from './storedPrompt';

const { t } = vscode.l10n;

/** Returns the prompts that come with Parley; their texts are a setting. */
export function getBuiltInPrompts(): readonly Prompt[] {
  const names: Record<BuiltIn, string> = {
    explain: t('Explain'),
    findProblems: t('Find Problems'),
    writeTests: t('Write Tests'),
  };
  return (Object.keys(names) as BuiltIn[]).map((builtIn) => {
    const body = getPrompt(builtIn);
    return {
      id: `builtIn/${builtIn}`,
      source: 'builtIn',
      name: names[builtIn],
      description: body,
      body,
      builtIn,
    };
  });
}
