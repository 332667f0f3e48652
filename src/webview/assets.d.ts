declare module '*.svg' {
  /** The file's text. */
  const text: string;
  // biome-ignore lint/style/noDefaultExport: esbuild's text loader exports so.
  export default text;
}
declare module '*.css';
