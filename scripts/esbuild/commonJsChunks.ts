// Splits a CommonJS bundle into chunks that are loaded on demand, which esbuild can do only with ES modules.
import type { Plugin } from 'esbuild';

/** Converts the ES modules that esbuild creates to CommonJS. Comes before plugins that rename or write the files. */
export const commonJsChunks: Plugin = {
  name: 'common-js-chunks',
  setup(build) {
    const { initialOptions } = build;
    const { minify = false, sourcemap = false, target = 'es2023' } = initialOptions;
    // Minified, the chunk that replaces the entry would export its names as `a`, `b` and so on.
    Object.assign(initialOptions, { minify: false, minifySyntax: minify, minifyWhitespace: minify });
    // An inline source map is the only one that a conversion reads.
    initialOptions.sourcemap = sourcemap && 'inline';
    build.onEnd(async (result) => {
      for (const file of result.outputFiles ?? []) {
        const { code } = await build.esbuild.transform(file.text, {
          format: 'cjs',
          platform: 'node',
          minify,
          sourcemap: sourcemap && 'inline',
          sourcefile: file.path,
          target,
          // `import()` as `require`, which VS Code intercepts.
          supported: { 'dynamic-import': false },
        });
        file.contents = Buffer.from(code);
      }
    });
  },
};
