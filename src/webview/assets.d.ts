declare module '*.svg' {
  /** The content of the file. */
  const text: string;
  // biome-ignore lint/style/noDefaultExport: esbuild's text loader exports so.
  export default text;
}
declare module '*.css';
declare module '*?text' {
  /** The module and its imports, bundled as one script. */
  const script: string;
  // biome-ignore lint/style/noDefaultExport: esbuild's text loader exports so.
  export default script;
}
