declare module '*.svg' {
  /** The file's text. */
  const text: string;
  // biome-ignore lint/style/noDefaultExport: esbuild's text loader exports so.
  export default text;
}
declare module '*.css';
declare module '*?text' {
  /** The module and all that it imports, as one script. */
  const script: string;
  // biome-ignore lint/style/noDefaultExport: esbuild's text loader exports so.
  export default script;
}
