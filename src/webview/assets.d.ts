declare module '*.svg' {
  /** The content of the file. */
  const text: string;
  export default text;
}
declare module '*.css' {
  /** The content of the file, in the bundle of the diagram's tab only. */
  const text: string;
  export default text;
}
declare module '*?grammar' {
  /** The language's grammar and those embedded in it, as text. */
  const grammars: readonly { readonly name: string; readonly json: string }[];
  export default grammars;
}
declare module '*?text' {
  /** The module and its imports, bundled as one script. */
  const script: string;
  export default script;
}
