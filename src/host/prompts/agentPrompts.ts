import { getVariableNames, splitPrompt } from '../../chat/prompts/promptParts';
import { fillPrompt, getInputs } from '../../shared/conversation/prompt';
import { type Prompt, takesSelection } from './storedPrompt';

/** A prompt as an agent sees it. */
export interface AgentPrompt {
  readonly name: string;
  readonly description?: string;
  readonly arguments: { readonly name: string; readonly description?: string }[];
}

/** Returns the prompts that agents can use: the user's and the workspace's that need nothing of an editor. */
export function toAgentPrompts(prompts: readonly Prompt[]): AgentPrompt[] {
  const seen = new Set<string>();
  return prompts.filter(isForAgents).flatMap(({ name, description, body }) => {
    // The user's own come first.
    if (seen.has(name)) return [];
    seen.add(name);
    const inputs = getInputs(splitPrompt(body, {}) ?? []);
    return [
      {
        name,
        ...(description !== undefined && { description }),
        arguments: inputs.map(({ name: input, hint }) => ({
          name: input,
          ...(hint && { description: hint }),
        })),
      },
    ];
  });
}

/** Returns a prompt with values for its inputs; undefined if there is no such prompt. */
export function fillAgentPrompt(
  prompts: readonly Prompt[],
  name: string,
  values: Readonly<Record<string, string>>,
): string | undefined {
  const prompt = prompts.find((each) => each.name === name && isForAgents(each));
  const parts = prompt && splitPrompt(prompt.body, {});
  return parts && fillPrompt(parts, new Map(Object.entries(values)));
}

function isForAgents(prompt: Prompt): boolean {
  const needsFile = [...getVariableNames(prompt.body)].some((name) => name.startsWith('file'));
  return prompt.source !== 'builtIn' && !takesSelection(prompt) && !needsFile;
}
