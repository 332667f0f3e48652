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
declare module '*?text' {
  /** The module and its imports, bundled as one script. */
  const script: string;
  export default script;
}
