// Collects the messages of host and page in l10n/bundle.l10n.json, sorts the translations next to it in the
// same order without unused ones, and lists missing translations. Usage: node scripts/run.mjs scripts/l10n.ts
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isStringLiteral,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

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
const definitions = ['src/host/base/plural.ts', 'src/webview/base/l10n.ts'];

/** Parses the sources of the extension and the page; returns them by path from the repository's root. */
export function parseSources(): Map<string, SourceFile> {
  const api = new API({ cwd: root });
  try {
    const openProjects = ['tsconfig.json', 'src/webview/tsconfig.json'].map((name) => path.join(root, name));
    const sources = new Map<string, SourceFile>();
    for (const { program } of api.updateSnapshot({ openProjects }).getProjects()) {
      for (const file of program.getSourceFileNames()) {
        const name = path.relative(root, file).replaceAll(path.sep, '/');
        if (!name.startsWith('src/') || sources.has(name)) continue;
        const source = program.getSourceFile(file);
        if (source) sources.set(name, source);
      }
    }
    return sources;
  } finally {
    api.close();
  }
}

/** Returns the name of the function or method that an expression calls; undefined if it isn't a call. */
export function getCalledName(node: Node): string | undefined {
  if (!isCallExpression(node)) return undefined;
  const { expression } = node;
  if (isIdentifier(expression)) return expression.text;
  return isPropertyAccessExpression(expression) ? expression.name.text : undefined;
}

/**
 * Returns every message, sorted. Throws if a message isn't a literal in its call, because it couldn't be
 * translated.
 */
export function findMessages(sources: ReadonlyMap<string, SourceFile>): string[] {
  const messages = new Set<string>();
  for (const [name, source] of sources) {
    if (definitions.includes(name)) continue;
    const visit = (node: Node) => {
      for (const index of messageArguments.get(getCalledName(node) ?? '') ?? []) {
        const message = isCallExpression(node) ? node.arguments[index] : undefined;
        if (!message || !isStringLiteral(message)) throw new Error(`${name}: ${node.getText()}`);
        messages.add(message.text);
      }
      node.forEachChild(visit);
    };
    visit(source);
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
  const messages = findMessages(parseSources());
  for (const language of [undefined, ...languages]) void writeBundle(messages, language);
}
