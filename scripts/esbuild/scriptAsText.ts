// Bundles scripts as text: a webview can only start a worker, and a frame without an origin, from a part of its page.
import path from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

type Inputs = Metafile['outputs'][string]['inputs'];

const namespace = 'script-as-text';

/** Bundles a file imported as `./file?text` into one script and exports its text. */
export const scriptAsText: Plugin = {
  name: namespace,
  setup(build) {
    const {
      absWorkingDir = process.cwd(),
      minify = false,
      target = 'es2024',
      define = {},
      alias = {},
    } = build.initialOptions;
    /** The inputs of each script, by file. */
    const inputsByFile = new Map<string, Inputs>();

    build.onResolve({ filter: /^\.\.?\/.*\?text$/ }, async ({ path: file, kind, importer, resolveDir }) => {
      const resolved = await build.resolve(file.replace(/\?text$/, ''), { kind, importer, resolveDir });
      return { path: resolved.path, errors: resolved.errors, namespace };
    });
    build.onLoad({ filter: /.*/, namespace }, async ({ path: file }) => {
      const { outputFiles, metafile } = await build.esbuild.build({
        absWorkingDir,
        minify,
        target,
        define,
        alias,
        entryPoints: [file],
        bundle: true,
        format: 'iife',
        write: false,
        metafile: true,
        logLevel: 'error',
      });
      const [inputs = {}] = Object.values(metafile.outputs).map((output) => output.inputs);
      inputsByFile.set(file, inputs);
      const watchFiles = Object.keys(inputs).map((input) => path.resolve(absWorkingDir, input));
      return { contents: outputFiles[0]?.text ?? '', loader: 'text', watchFiles };
    });
    // Adds the scripts' inputs to those of the bundle.
    build.onEnd(({ metafile }) => {
      for (const { inputs } of Object.values(metafile?.outputs ?? {})) {
        for (const input of Object.keys(inputs).filter((name) => name.startsWith(`${namespace}:`))) {
          delete inputs[input];
          const file = path.resolve(absWorkingDir, input.slice(namespace.length + 1));
          for (const [name, { bytesInOutput }] of Object.entries(inputsByFile.get(file) ?? {})) {
            inputs[name] = { bytesInOutput: bytesInOutput + (inputs[name]?.bytesInOutput ?? 0) };
          }
        }
      }
    });
  },
};
