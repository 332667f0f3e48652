import { useEffect, useMemo, useState } from 'preact/hooks';
import { filterConversations } from '../../shared/conversationGroups';
import type { ServiceConversation } from '../../shared/viewModel';
import { usePage } from '../page/page';

/** Pause in typing after which the service is searched. */
const DELAY = 300;

/** Returns the service's conversations that aren't stored here and match the filter; none if it doesn't list them. */
export function useServiceConversations(filter: string): readonly ServiceConversation[] {
  const page = usePage();
  const [known, setKnown] = useState<readonly ServiceConversation[]>([]);
  const keyword = filter.trim();
  useEffect(() => {
    page.list.onService = (of, conversations) => {
      if (of === keyword) setKnown(conversations);
    };
    const timer = setTimeout(() => page.post({ type: 'listService', keyword }), keyword === '' ? 0 : DELAY);
    return () => {
      clearTimeout(timer);
      page.list.onService = undefined;
    };
  }, [page, keyword]);
  return useMemo(() => filterConversations(known, filter), [known, filter]);
}
