declare module 'commonmark-spec' {
  interface SpecTest {
    readonly number: number;
    readonly section: string;
    readonly markdown: string;
    readonly html: string;
  }
  const spec: { readonly tests: readonly SpecTest[] };
  export default spec;
}

declare module 'big-list-of-naughty-strings' {
  const strings: readonly string[];
  export default strings;
}

declare module '*.css';
