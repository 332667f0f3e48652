const SHELLS = new Set('sh bash zsh fish shell shellscript console powershell ps1 pwsh bat cmd'.split(' '));

export function isShell(language: string): boolean {
  return SHELLS.has(language.toLowerCase());
}

/** Returns the commands of a block: if lines have a `$ ` prompt, those without the prompt, and no output. */
export function getShellCommands(text: string): string {
  const lines = text.split('\n');
  if (!lines.some((line) => line.startsWith('$ '))) return text;
  const commands: string[] = [];
  for (const line of lines) {
    if (line.startsWith('$ ')) commands.push(line.slice(2));
    else if (commands.at(-1)?.endsWith('\\')) commands.push(line);
  }
  return commands.join('\n');
}
