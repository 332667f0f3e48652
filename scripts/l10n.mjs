// Gathers the messages of host and page in l10n/bundle.l10n.json, brings the translations beside it into the same order, without
// what is no longer said, and names what they lack.
// Usage: node scripts/l10n.mjs
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isStringLiteral,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The languages that Parley speaks besides English, as VS Code names them. */
export const languages = ['de', 'es', 'fr', 'ja', 'zh-cn'];

/** Which arguments are messages: of `t('…')` and `vscode.l10n.t('…')`, and of `plural(count, '…', '…')`. */
const messageArguments = new Map([
  ['t', [0]],
  ['plural', [1, 2]],
]);
/** These define the functions, and pass on messages of others. */
const definitions = ['src/host/base/plural.ts', 'src/webview/base/l10n.ts'];

/**
 * What the extension and the page are made of, by path from the top of the checkout.
 * @returns {Map<string, import('typescript/unstable/ast').SourceFile>}
 */
export function parseSources() {
  const api = new API({ cwd: root });
  try {
    const openProjects = ['tsconfig.json', 'src/webview/tsconfig.json'].map((name) => path.join(root, name));
    const sources = new Map();
    for (const { program } of api.updateSnapshot({ openProjects }).getProjects()) {
      for (const file of program.getSourceFileNames()) {
        const name = path.relative(root, file).replaceAll(path.sep, '/');
        if (name.startsWith('src/') && !sources.has(name)) sources.set(name, program.getSourceFile(file));
      }
    }
    return sources;
  } finally {
    api.close();
  }
}

/**
 * The name of the function or method that an expression calls, if it does.
 * @param {import('typescript/unstable/ast').Node} node
 * @returns {string | undefined}
 */
export function calledName(node) {
  if (!isCallExpression(node)) return undefined;
  const { expression } = node;
  if (isIdentifier(expression)) return expression.text;
  return isPropertyAccessExpression(expression) ? expression.name.text : undefined;
}

/**
 * Every message, sorted. Throws where one isn't written out in the call, so that nobody could translate it.
 * @param {ReturnType<typeof parseSources>} sources
 * @returns {string[]}
 */
export function messagesIn(sources) {
  const messages = new Set();
  for (const [name, source] of sources) {
    if (definitions.includes(name)) continue;
    const visit = (node) => {
      for (const index of messageArguments.get(calledName(node)) ?? []) {
        const message = node.arguments[index];
        if (!message || !isStringLiteral(message)) throw new Error(`${name}: ${node.getText()}`);
        messages.add(message.text);
      }
      node.forEachChild(visit);
    };
    visit(source);
  }
  return [...messages].toSorted();
}

/** @param {string} [language] @returns {string} the path of a bundle; without a language, of the English one */
export function bundlePath(language) {
  return path.join(root, 'l10n', `bundle.l10n.${language === undefined ? '' : `${language}.`}json`);
}

async function writeBundle(messages, language) {
  const file = bundlePath(language);
  const translations = language === undefined ? {} : JSON.parse(await readFile(file, 'utf8'));
  const entries = messages.map((message) => [
    message,
    language === undefined ? message : translations[message],
  ]);
  await writeFile(file, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
  for (const [message, translation] of entries)
    if (translation === undefined) console.log(`${language}: ${message}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const messages = messagesIn(parseSources());
  for (const language of [undefined, ...languages]) void writeBundle(messages, language);
}
