// Bundles grammars as text: the page only passes them to a worker, and creating their thousands of regular expressions
// would hold it up.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LanguageRegistration } from '@shikijs/primitive';
import type { Plugin } from 'esbuild';
import { serializeGrammar } from '../../src/webview/highlight/worker/workerMessages';
import { UNLICENSED_GRAMMARS } from '../notices';

const PACKAGE = '@shikijs/langs-precompiled';
const SUFFIX = '?grammar';

/** Serializes the grammars of a language imported as `@shikijs/langs-precompiled/NAME?grammar`. */
export const grammarAsText: Plugin = {
  name: 'grammar-as-text',
  setup(build) {
    build.onResolve(
      { filter: /^@shikijs\/langs-precompiled\/.*\?grammar$/ },
      async ({ path: name, ...from }) => {
        const { kind, importer, resolveDir } = from;
        const resolved = await build.resolve(name.slice(0, -SUFFIX.length), { kind, importer, resolveDir });
        return { path: resolved.path, errors: resolved.errors, suffix: SUFFIX };
      },
    );
    build.onLoad(
      { filter: /langs-precompiled[\\/]dist[\\/][\w-]+\.mjs$/ },
      async ({ path: file, suffix }) => {
        if (suffix !== SUFFIX) return undefined;
        const name = path.basename(file, '.mjs');
        const scopeName = UNLICENSED_GRAMMARS[name];
        if (scopeName !== undefined) {
          const json = serializeGrammar({ name, scopeName, patterns: [], repository: {} });
          return { contents: `export default ${JSON.stringify([{ name, json }])}` };
        }
        const module: { default: readonly LanguageRegistration[] } = await import(pathToFileURL(file).href);
        return { contents: serializeModule(await readFile(file, 'utf8'), module.default.at(-1)) };
      },
    );
  },
};

/** Replaces the grammar of a module by its text, and imports the ones that are embedded in it as text too. */
function serializeModule(source: string, grammar: LanguageRegistration | undefined): string {
  const serialized = grammar && { name: grammar.name, json: serializeGrammar(grammar) };
  return source
    .replace(/^import \{ EmulatedRegExp \}.*$/m, '')
    .replace(/ from '\.\/([\w-]+)\.mjs'/g, ` from '${PACKAGE}/$1${SUFFIX}'`)
    .replace(/^const lang = .*$/m, () => `const lang = ${JSON.stringify(serialized)}`);
}
