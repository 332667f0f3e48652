// Puts everything that a program needs at its start in a single file. esbuild would split it into a dozen chunks shared
// with scripts that are loaded later, and a second round of requests delays the page in VS Code by about 50 ms.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuildResult, Metafile, OutputFile, Plugin } from 'esbuild';

/** Marks the plugin's own resolve calls. */
const OWN_RESOLVE = {};

/** The namespace of the scripts that are loaded later. */
const LAZY = 'lazy';

/**
 * Makes every script that is loaded later import the entry, so that esbuild puts the entry's code in one shared chunk;
 * then renames that chunk to the entry.
 */
export const startInOneFile: Plugin = {
  name: 'start-in-one-file',
  setup(build) {
    const { initialOptions } = build;
    const { absWorkingDir: root = process.cwd(), entryPoints, write } = initialOptions;
    const [source = ''] = Object.values(entryPoints ?? {}) as string[];
    const entry = path.resolve(root, source);
    initialOptions.write = false;
    initialOptions.metafile = true;

    build.onResolve(
      { filter: /^\.\.?\// },
      async ({ path: file, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === OWN_RESOLVE) return undefined;
        const resolved = await build.resolve(file, { kind, importer, resolveDir, pluginData: OWN_RESOLVE });
        // Relative, because the names of the chunks depend on it.
        return { path: path.relative(root, resolved.path), errors: resolved.errors, namespace: LAZY };
      },
    );
    // A module of its own, because the file may also be imported by another script that is loaded later.
    build.onLoad({ filter: /.*/, namespace: LAZY }, ({ path: file }) => ({
      contents: `export * from ${JSON.stringify(path.resolve(root, file))};\nimport ${JSON.stringify(entry)};\n`,
      resolveDir: root,
    }));
    build.onEnd(async (result) => {
      if (!result.metafile) return;
      replaceEntryWithChunk(result, source, root);
      if (write === false) return;
      for (const { path: file, contents } of result.outputFiles ?? []) {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, contents);
      }
    });
  },
};

/** Replaces the entry with the single chunk that contains its code, in the files and in the metafile. */
function replaceEntryWithChunk(result: BuildResult, source: string, root: string): void {
  const outputs: Metafile['outputs'] = result.metafile?.outputs ?? {};
  const [entry, output] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
  if (entry === undefined || !output) throw new Error(`esbuild created no output for ${source}.`);
  const { imports, inputs, exports, cssBundle = '', entryPoint } = output;
  const [chunk, ...others] = imports.map((imported) => imported.path);
  const start = chunk === undefined ? undefined : outputs[chunk];
  if (chunk === undefined || !start || others.length > 0 || Object.keys(inputs).length > 0) {
    throw new Error(`${entry} consists of more than one chunk.`);
  }
  if (exports.some((name) => !start.exports.includes(name))) throw new Error(`${chunk} renames an export.`);
  outputs[entry] = { ...start, cssBundle, ...(entryPoint !== undefined && { entryPoint }) };
  delete outputs[chunk];
  for (const [file, { imports }] of Object.entries(outputs)) {
    for (const imported of imports) if (imported.path === chunk) imported.path = entry;
    // esbuild repeats the style sheet for each script that imports the entry.
    if (/\.css(\.map)?$/.test(file) && !file.startsWith(cssBundle)) delete outputs[file];
  }
  const quote = (file: string) => `"./${path.basename(file)}"`;
  const files = new Map(result.outputFiles?.map((file) => [path.resolve(file.path), file]));
  const getFile = (name: string): OutputFile => {
    const file = files.get(path.resolve(root, name === entry ? chunk : name));
    if (!file) throw new Error(`esbuild created no ${name}.`);
    return file;
  };
  result.outputFiles = Object.keys(outputs).map((name) => {
    const file = path.resolve(root, name);
    const { text, hash } = getFile(name);
    const renamed = /\.c?js$/.test(file) ? text.replaceAll(quote(chunk), quote(entry)) : text;
    return { path: file, contents: Buffer.from(renamed), text: renamed, hash };
  });
}
