/** Installs the packages of a package.json below test/ where it has changed since; `what` completes "Installing …". */
export function ensureFolderInstalled(folder: string, what: string): Promise<void>;
