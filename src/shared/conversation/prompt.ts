/** What the page shows of a prompt that can be inserted into a message. */
export interface PromptSummary {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly source: 'personal' | 'workspace' | 'builtIn';
}

/** A piece of a prompt: a text, or an input that the user fills in. */
export interface PromptPart {
  /** The text; the hint of an input. */
  readonly text: string;
  /** The name of an input. */
  readonly input?: string;
}

export interface PromptInput {
  readonly name: string;
  readonly hint: string;
}

/** Returns the text of a prompt with values for its inputs. Inserts the values as they are. Variables in a value aren't expanded. */
export function fillPrompt(parts: readonly PromptPart[], values: ReadonlyMap<string, string>): string {
  return parts.map(({ text, input }) => (input === undefined ? text : (values.get(input) ?? ''))).join('');
}

/** Returns the inputs of a prompt, each name once. */
export function getInputs(parts: readonly PromptPart[]): readonly PromptInput[] {
  const hints = new Map(
    parts.flatMap(({ text, input }) => (input === undefined ? [] : [[input, text] as const])),
  );
  return [...hints].map(([name, hint]) => ({ name, hint }));
}
