/** Packages a folder as it is. Throws with vsce's words, its warnings among them. */
export function packFolder(folder: string, vsix: string, moreFlags?: readonly string[]): Promise<void>;

/** Builds for production and packages, unless the package is newer than every source; resolves to the path of the .vsix. */
export function packageExtension(): Promise<string>;
