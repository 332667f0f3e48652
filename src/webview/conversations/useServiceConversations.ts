import { useEffect, useMemo, useState } from 'preact/hooks';
import { filterConversations } from '../../shared/conversationGroups';
import type { ServiceConversation } from '../../shared/viewModel';
import { usePage } from '../page/page';

/** Typing pauses this long (ms) before the service is asked for what it names. */
const DELAY = 300;

/** What the service has that isn't here, as far as it fits the filter. Nothing where it doesn't tell. */
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
