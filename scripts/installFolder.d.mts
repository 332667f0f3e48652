/** Installs the packages of a folder below test/ where its lock file has changed since; `what` completes "Installing …". */
export function ensureFolderInstalled(folder: string, what: string): Promise<void>;
