// All that the page needs at its start in its one file: esbuild would share it out among a dozen files with what is loaded later, and
// a second round of requests costs a start in VS Code some 50 ms.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Marks a look-up as this plugin's own. */
const own = {};

/**
 * Has every script of ours that is loaded later import the entry, so that what the entry needs is one chunk, shared by all; then
 * gives that chunk the entry's name.
 * @type {import('esbuild').Plugin}
 */
export const startInOneFile = {
  name: 'start-in-one-file',
  setup(build) {
    const { initialOptions } = build;
    const { absWorkingDir: root = process.cwd(), entryPoints, write } = initialOptions;
    const [source] = Object.values(entryPoints);
    const entry = path.resolve(root, source);
    /** Our scripts that are loaded later. */
    const later = new Set();
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
      for (const { path: file, contents } of result.outputFiles) {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, contents);
      }
    });
  },
};

/** Puts the one chunk that the entry is made of in its place, in the files and in what is said of them. */
function renameStart(result, source, root) {
  const { outputs } = result.metafile;
  const entry = Object.keys(outputs).find((file) => outputs[file].entryPoint === source);
  const { imports, inputs, cssBundle, entryPoint } = outputs[entry];
  const [chunk, ...others] = imports.map((each) => each.path);
  if (!chunk || others.length > 0 || Object.keys(inputs).length > 0) {
    throw new Error(`${entry} is made of more than one chunk.`);
  }
  outputs[entry] = { ...outputs[chunk], cssBundle, entryPoint };
  delete outputs[chunk];
  for (const [file, { imports }] of Object.entries(outputs)) {
    for (const each of imports) if (each.path === chunk) each.path = entry;
    // Every script that imports the entry was given its style once more.
    if (/\.css(\.map)?$/.test(file) && !file.startsWith(cssBundle)) delete outputs[file];
  }
  const [from, to] = [chunk, entry].map((file) => `"./${path.basename(file)}"`);
  const files = new Map(result.outputFiles.map((file) => [path.resolve(file.path), file]));
  files.set(path.resolve(root, entry), files.get(path.resolve(root, chunk)));
  result.outputFiles = Object.keys(outputs).map((name) => {
    const file = path.resolve(root, name);
    const { text, hash } = files.get(file);
    const renamed = file.endsWith('.js') ? text.replaceAll(from, to) : text;
    return { path: file, contents: Buffer.from(renamed), text: renamed, hash };
  });
}
