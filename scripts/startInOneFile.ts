// All that the page needs at its start in its one file: esbuild would share it out among a dozen files with what is loaded later, and
// a second round of requests costs a start in VS Code some 50 ms.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuildResult, Metafile, OutputFile, Plugin } from 'esbuild';

/** Marks a look-up as this plugin's own. */
const own = {};

/**
 * Has every script of ours that is loaded later import the entry, so that what the entry needs is one chunk, shared by all; then
 * gives that chunk the entry's name.
 */
export const startInOneFile: Plugin = {
  name: 'start-in-one-file',
  setup(build) {
    const { initialOptions } = build;
    const { absWorkingDir: root = process.cwd(), entryPoints, write } = initialOptions;
    const [source = ''] = Object.values(entryPoints ?? {}) as string[];
    const entry = path.resolve(root, source);
    /** Our scripts that are loaded later. */
    const later = new Set<string>();
    initialOptions.write = false;
    initialOptions.metafile = true;

    build.onResolve(
      { filter: /^\.\.?\// },
      async ({ path: file, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === own) return undefined;
        const resolved = await build.resolve(file, { kind, importer, resolveDir, pluginData: own });
        later.add(resolved.path);
        return resolved;
      },
    );
    build.onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
      if (!later.has(file)) return undefined;
      const contents = `${await readFile(file, 'utf8')}\nimport ${JSON.stringify(entry)};\n`;
      return { contents, loader: path.extname(file) === '.tsx' ? 'tsx' : 'ts' };
    });
    build.onEnd(async (result) => {
      if (!result.metafile) return;
      renameStart(result, source, root);
      if (write === false) return;
      for (const { path: file, contents } of result.outputFiles ?? []) {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, contents);
      }
    });
  },
};

/** Puts the one chunk that the entry is made of in its place, in the files and in what is said of them. */
function renameStart(result: BuildResult, source: string, root: string): void {
  const outputs: Metafile['outputs'] = result.metafile?.outputs ?? {};
  const [entry, output] = Object.entries(outputs).find((each) => each[1].entryPoint === source) ?? [];
  if (entry === undefined || !output) throw new Error(`esbuild made nothing of ${source}.`);
  const { imports, inputs, cssBundle = '', entryPoint } = output;
  const [chunk, ...others] = imports.map((each) => each.path);
  const start = chunk === undefined ? undefined : outputs[chunk];
  if (chunk === undefined || !start || others.length > 0 || Object.keys(inputs).length > 0) {
    throw new Error(`${entry} is made of more than one chunk.`);
  }
  outputs[entry] = { ...start, cssBundle, ...(entryPoint !== undefined && { entryPoint }) };
  delete outputs[chunk];
  for (const [file, { imports }] of Object.entries(outputs)) {
    for (const each of imports) if (each.path === chunk) each.path = entry;
    // Every script that imports the entry was given its style once more.
    if (/\.css(\.map)?$/.test(file) && !file.startsWith(cssBundle)) delete outputs[file];
  }
  const quote = (file: string) => `"./${path.basename(file)}"`;
  const files = new Map(result.outputFiles?.map((file) => [path.resolve(file.path), file]));
  const getFile = (name: string): OutputFile => {
    const file = files.get(path.resolve(root, name === entry ? chunk : name));
    if (!file) throw new Error(`esbuild made no ${name}.`);
    return file;
  };
  result.outputFiles = Object.keys(outputs).map((name) => {
    const file = path.resolve(root, name);
    const { text, hash } = getFile(name);
    const renamed = file.endsWith('.js') ? text.replaceAll(quote(chunk), quote(entry)) : text;
    return { path: file, contents: Buffer.from(renamed), text: renamed, hash };
  });
}
