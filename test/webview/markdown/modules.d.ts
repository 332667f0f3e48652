declare module 'commonmark-spec' {
  interface SpecTest {
    readonly number: number;
    readonly section: string;
    readonly markdown: string;
    readonly html: string;
  }
  const spec: { readonly tests: readonly SpecTest[] };
  // biome-ignore lint/style/noDefaultExport: what a CommonJS module exports.
  export default spec;
}

declare module 'big-list-of-naughty-strings' {
  const strings: readonly string[];
  // biome-ignore lint/style/noDefaultExport: what a CommonJS module exports.
  export default strings;
}

declare module '*.css';
