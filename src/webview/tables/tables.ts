import { importWithRetries } from '../base/importWithRetries';
import type { Services } from '../page/pageServices';

/** Adds a toolbar to each table of a text that has ended: a part of a table is never copied as a whole. */
export function addTableToolbars(body: Element, page: Services['page']): void {
  const blocks = body.querySelectorAll<HTMLElement>('.table-block');
  if (blocks.length > 0)
    void importWithRetries(() => import('./tableToolbar')).then(({ addTableToolbar }) => {
      for (const block of blocks) addTableToolbar(block, page);
    });
}
