import type { Node, SourceFile } from 'typescript/unstable/ast';

/** The languages that Parley speaks besides English, as VS Code names them. */
export const languages: readonly string[];
/** What the extension and the page are made of, by path from the top of the checkout. */
export function parseSources(): Map<string, SourceFile>;
/** The name of the function or method that an expression calls, if it does. */
export function calledName(node: Node): string | undefined;
/** Every message, sorted. Throws where one isn't written out in the call, so that nobody could translate it. */
export function messagesIn(sources: ReadonlyMap<string, SourceFile>): string[];
/** The path of a bundle; without a language, of the English one. */
export function bundlePath(language?: string): string;
