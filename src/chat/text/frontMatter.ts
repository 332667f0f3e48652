/** In lines. A longer front matter counts as text. */
const MAX_FRONT_MATTER_LINES = 200;

/** A Markdown text, and the values of its front matter by key. */
export interface FrontMatter {
  /** Strings only; a map, so that no key has a special meaning. */
  readonly values: ReadonlyMap<string, string>;
  readonly body: string;
  /** The number of lines that the front matter takes, with those around it. */
  readonly lineCount: number;
}

/**
 * Parses the front matter of a Markdown text: the scalars of a flat YAML mapping, which are plain, in quotes, or
 * blocks of indented lines. Everything else in it, such as lists, anchors and tags, is ignored.
 */
export function parseFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const end = /^---[ \t]*$/.test(lines[0] ?? '')
    ? lines.slice(0, MAX_FRONT_MATTER_LINES).findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line))
    : -1;
  if (end < 0) return { values: new Map(), body: trimBlankLines(lines), lineCount: 0 };
  return {
    values: parseMapping(lines.slice(1, end)),
    body: trimBlankLines(lines.slice(end + 1)),
    lineCount: end + 1,
  };
}

function parseMapping(lines: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (let index = 0; index < lines.length; ) {
    const [, key, first = ''] = /^([A-Za-z][\w-]*)[ \t]*:([ \t].*)?$/s.exec(lines[index++] ?? '') ?? [];
    const indented: string[] = [];
    while (index < lines.length && /^(?:[ \t]|$)/.test(lines[index] ?? ''))
      indented.push(lines[index++] ?? '');
    const value = key === undefined ? undefined : parseScalar(first.trim(), indented);
    if (key !== undefined && value !== undefined && !values.has(key)) values.set(key, value);
  }
  return values;
}

/**
 * Returns a scalar, or undefined for everything else. `indented`: the lines that follow it. In the expressions, `.`
 * matches any character: those that JavaScript counts as line ends, such as U+2028, are text in YAML.
 */
function parseScalar(first: string, indented: readonly string[]): string | undefined {
  const more = indented.map((line) => line.trim());
  const block = /^([|>])[-+0-9]{0,2}(?:[ \t]+#.*)?$/s.exec(first);
  if (block) return more.join(block[1] === '|' ? '\n' : ' ').trim();
  const whole = [first, ...more].join(' ').trim();
  const single = /^'((?:[^']|'')*)'(?:\s*|\s+#.*)$/s.exec(whole);
  if (single) return single[1]?.replaceAll("''", "'");
  const double = /^("(?:[^"\\]|\\.)*")(?:\s*|\s+#.*)$/s.exec(whole);
  if (double) return parseJsonString(double[1] ?? '');
  if (/^[[\]{}&*!|>'"%@`#,]|^[-?:](?:\s|$)/.test(whole)) return;
  return whole.replace(/(?<=\s)#.*$/s, '').trim();
}

/** The escape sequences of JSON are the common ones of YAML. */
function parseJsonString(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return;
  }
}

function trimBlankLines(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first < 0 ? '' : lines.slice(first).join('\n').trimEnd();
}
