import { useEffect, useMemo, useState } from 'preact/hooks';
import { filterConversations } from '../../shared/view/conversationGroups';
import type { ServiceConversation } from '../../shared/view/viewModel';
import { useServices } from '../page/pageServices';

/** Pause in typing after which the service is searched. */
const LIST_DELAY_MS = 300;

/** Returns the service's conversations that aren't stored here and match the filter; none if it doesn't list them. */
export function useServiceConversations(filter: string): readonly ServiceConversation[] {
  const { host, page } = useServices();
  const [found, setFound] = useState<readonly ServiceConversation[]>([]);
  const keyword = filter.trim();
  useEffect(() => {
    let outdated = false;
    const list = async () => {
      const conversations = await host.request('listService', { keyword });
      if (!outdated) setFound(conversations);
    };
    const timer = setTimeout(() => void page.showFailureOf(list()), keyword === '' ? 0 : LIST_DELAY_MS);
    return () => {
      clearTimeout(timer);
      outdated = true;
    };
  }, [host, page, keyword]);
  return useMemo(() => filterConversations(found, filter), [found, filter]);
}
