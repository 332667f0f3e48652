import { importWithRetries } from '../base/importWithRetries';
import type { FileExistence } from './fileExistence';
import type { FileReference } from './fileReference';
import type { PathLinks } from './pathLinks';

/** Creates the links to paths in replies. The code for it is loaded for the first reply that has ended. */
export function createLazyPathLinks(files: FileExistence, openFile: (file: FileReference) => void) {
  let links: Promise<PathLinks> | undefined;
  return {
    async addReply(body: Element): Promise<void> {
      links ??= importWithRetries(() => import('./pathLinks')).then(
        ({ PathLinks }) => new PathLinks(files, openFile),
      );
      (await links).addReply(body);
    },
  };
}
