import { type Candidate, inspectBytes } from './candidate';
import { detectSecretInDiff } from './detectSecret';

/**
 * Creates a Markdown file of a text from the workspace, to upload it after the same questions as a file. `diff`: the Git diff
 * that the text has, which is looked through for secrets as files are.
 */
export function createMarkdownCandidate(name: string, text: string, diff?: string): Candidate {
  const file = inspectBytes(`${name.replace(/[/\\:]/g, '-')}.md`, new TextEncoder().encode(text));
  const found = diff === undefined ? undefined : detectSecretInDiff(diff);
  return { ...file, ...(found && { secret: found.secret, secretPath: found.path }) };
}
