/** Git's settings by name, such as `core.ignorecase`: all values in the order in which they were set. */
export type GitConfig = ReadonlyMap<string, readonly string[]>;

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** Parses a file with Git's settings. Leaves out lines that aren't valid. */
export function parseGitConfig(text: string): GitConfig {
  const config = new Map<string, string[]>();
  let section = '';
  for (const line of text
    .replace(/^\uFEFF/, '')
    .replace(/\\\r?\n/g, '')
    .split(/\r?\n/)) {
    const header = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    const [, name = '', subsection] = header ?? [];
    if (header)
      section =
        name.toLowerCase() + (subsection === undefined ? '' : `.${subsection.replace(/\\(.)/g, '$1')}`);
    const [, key, value] = /^\s*([a-z][\w-]*)\s*(?:=(.*))?/i.exec(line.slice(header?.[0].length)) ?? [];
    if (key === undefined) continue;
    const setting = `${section}.${key.toLowerCase()}`;
    config.set(setting, [...(config.get(setting) ?? []), value === undefined ? 'true' : parseValue(value)]);
  }
  return config;
}

/** Returns whether the last value of a setting is true. */
export function isSettingOn(config: GitConfig, setting: string): boolean {
  return /^(?:true|yes|on|1)$/i.test(config.get(setting)?.at(-1) ?? '');
}

/** Removes quotation marks, comments, and spaces at the ends. */
function parseValue(text: string): string {
  let value = '';
  /** Length of the value without spaces at its end. */
  let length = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    let character = text.charAt(at);
    if (character === '"') {
      isQuoted = !isQuoted;
      continue;
    }
    if (!isQuoted && (character === '#' || character === ';')) break;
    const isEscaped = character === '\\';
    if (isEscaped) {
      const escaped = text.charAt(++at);
      character = escapes[escaped] ?? escaped;
    }
    if (value === '' && !isQuoted && /\s/.test(character)) continue;
    value += character;
    if (isQuoted || isEscaped || !/\s/.test(character)) length = value.length;
  }
  return value.slice(0, length);
}
