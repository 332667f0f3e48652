import type { PromptPart } from '../../shared/conversation/prompt';

/** More inputs than a form can show; further ones stay text. */
const MAX_INPUTS = 20;
/** In code units, like the largest text of an intent. */
const MAX_EXPANDED_LENGTH = 1_000_000;

/** Values of variables, by name. */
export type PromptVariables = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{(?:input:([^{}:\n]{1,60})(?::([^{}\n]{0,200}))?|([A-Za-z]+))\}/g;

/** Returns the names of a prompt's variables other than its inputs, including unknown ones. */
export function getVariableNames(body: string): ReadonlySet<string> {
  return new Set([...body.matchAll(VARIABLE)].flatMap(([, , , name]) => name ?? []));
}

/**
 * Replaces the variables of a prompt with their values, and returns its texts and inputs in order. Values are never
 * searched for variables. Unknown variables stay text. Returns undefined if the text would be too long.
 */
export function splitPrompt(body: string, variables: PromptVariables): readonly PromptPart[] | undefined {
  const parts: PromptPart[] = [];
  const hints = new Map<string, string>();
  let length = 0;
  let at = 0;
  const addText = (text: string) => {
    length += text.length;
    // Adjacent texts aren't joined: the prompt's length already bounds the number of parts.
    if (text !== '' && length <= MAX_EXPANDED_LENGTH) parts.push({ text });
  };
  for (const { 0: whole, 1: input, 2: hint = '', 3: name = '', index } of body.matchAll(VARIABLE)) {
    addText(body.slice(at, index));
    at = index + whole.length;
    const isInput = input !== undefined && (hints.has(input) || hints.size < MAX_INPUTS);
    if (isInput) {
      hints.set(input, hints.get(input) || hint);
      parts.push({ text: '', input });
    } else addText((Object.hasOwn(variables, name) ? variables[name] : undefined) ?? whole);
  }
  addText(body.slice(at));
  if (length > MAX_EXPANDED_LENGTH) return;
  return parts.map(({ text, input }) =>
    input === undefined ? { text } : { text: hints.get(input)?.trim() ?? '', input },
  );
}
