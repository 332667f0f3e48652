import { useEffect, useMemo, useState } from 'preact/hooks';
import { filterConversations } from '../../shared/conversationGroups';
import type { ServiceConversation } from '../../shared/viewModel';
import { usePage } from '../page/page';

/** Pause in typing after which the service is searched. */
const LIST_DELAY_MS = 300;

/** Returns the service's conversations that aren't stored here and match the filter; none if it doesn't list them. */
export function useServiceConversations(filter: string): readonly ServiceConversation[] {
  const page = usePage();
  const [found, setFound] = useState<readonly ServiceConversation[]>([]);
  const keyword = filter.trim();
  useEffect(() => {
    page.list.showServiceConversations = (resultKeyword, conversations) => {
      if (resultKeyword === keyword) setFound(conversations);
    };
    const timer = setTimeout(
      () => page.post({ type: 'listService', keyword }),
      keyword === '' ? 0 : LIST_DELAY_MS,
    );
    return () => {
      clearTimeout(timer);
      page.list.showServiceConversations = undefined;
    };
  }, [page, keyword]);
  return useMemo(() => filterConversations(found, filter), [found, filter]);
}
