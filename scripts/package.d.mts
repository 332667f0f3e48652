/** Packages a folder as it is. Throws with vsce's words, its warnings among them. */
export function packFolder(folder: string, vsix: string, moreFlags?: readonly string[]): Promise<void>;
