// Collects the messages of host and page in l10n/bundle.l10n.json, sorts the translations next to it in the
// same order without unused ones, and lists missing translations. Hand-written, because @vscode/l10n-dev only
// finds VS Code's own `l10n.t`: two of five messages are the page's, which has a `t` and a `plural` of its own.
// Usage: node scripts/run.mjs scripts/l10n.ts
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type AnyNode, type Program, parse } from 'acorn';
import { transform } from 'esbuild';

const root = path.join(__dirname, '..');

/** The languages of Parley besides English, by VS Code's identifiers. */
export const languages = ['de', 'es', 'fr', 'ja', 'zh-cn'];

/**
 * The indexes of arguments that are messages: of `t('…')` and `vscode.l10n.t('…')`, and of `plural(count,
 * '…', '…')`.
 */
const messageArguments = new Map([
  ['t', [0]],
  ['plural', [1, 2]],
]);
/** These files define the functions and forward messages of their callers. */
const definitions = ['src/host/base/localizedText.ts', 'src/webview/base/l10n.ts'];

/** A source file of `src` after esbuild has removed its types and JSX, which acorn can't parse. */
export interface ParsedSource {
  readonly code: string;
  readonly program: Program;
}

/** Parses all files of `src`; returns them by path from the repository's root. */
export async function parseSources(): Promise<Map<string, ParsedSource>> {
  const names = await readdir(path.join(root, 'src'), { recursive: true });
  const files = names.filter((name) => /(?<!\.d)\.tsx?$/.test(name)).toSorted();
  const parsed = files.map(async (name): Promise<[string, ParsedSource]> => {
    const source = await readFile(path.join(root, 'src', name), 'utf8');
    const { code } = await transform(source, { loader: name.endsWith('x') ? 'tsx' : 'ts', jsx: 'automatic' });
    const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
    return [`src/${name.replaceAll(path.sep, '/')}`, { code, program }];
  });
  return new Map(await Promise.all(parsed));
}

/** Calls `visit` with a node and all nodes below it, except those below a node for which it returns false. */
export function walk(node: AnyNode, visit: (node: AnyNode) => boolean | undefined): void {
  if (visit(node) === false) return;
  for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, visit);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** Returns the name of the function, method or class that a node calls; undefined if it isn't a call. */
export function getCalledName(node: AnyNode): string | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
  const { callee } = node;
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  return name.type === 'Identifier' ? name.name : undefined;
}

/**
 * Returns every message, sorted. Throws if a message isn't a literal in its call, because it couldn't be
 * translated.
 */
export function findMessages(sources: ReadonlyMap<string, ParsedSource>): string[] {
  const messages = new Set<string>();
  for (const [name, { code, program }] of sources) {
    walk(program, (node) => {
      if (node.type !== 'CallExpression') return;
      for (const index of messageArguments.get(getCalledName(node) ?? '') ?? []) {
        const message = node.arguments[index];
        if (message?.type !== 'Literal' || typeof message.value !== 'string') {
          if (definitions.includes(name)) continue;
          throw new Error(`${name}: ${code.slice(node.start, node.end)}`);
        }
        messages.add(message.value);
      }
    });
  }
  return [...messages].toSorted();
}

/** Returns the path of a language's bundle, or of the English one. */
export function getBundlePath(language?: string): string {
  return path.join(root, 'l10n', `bundle.l10n.${language === undefined ? '' : `${language}.`}json`);
}

async function writeBundle(messages: readonly string[], language: string | undefined): Promise<void> {
  const file = getBundlePath(language);
  const translations = language === undefined ? {} : JSON.parse(await readFile(file, 'utf8'));
  const entries = messages.map((message) => [
    message,
    language === undefined ? message : translations[message],
  ]);
  await writeFile(file, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
  for (const [message, translation] of entries)
    if (translation === undefined) console.log(`${language}: ${message}`);
}

if (process.argv[1] === __filename) {
  void parseSources().then(async (sources) => {
    const messages = findMessages(sources);
    for (const language of [undefined, ...languages]) await writeBundle(messages, language);
  });
}
