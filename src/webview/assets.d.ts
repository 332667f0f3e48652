declare module '*.svg' {
  /** The content of the file. */
  const text: string;
  export default text;
}
declare module '*.css';
declare module '*?text' {
  /** The module and its imports, bundled as one script. */
  const script: string;
  export default script;
}
