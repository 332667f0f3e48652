import { useEffect, useState } from 'preact/hooks';
import type { SearchHit } from '../../shared/view/viewModel';
import { useServices } from '../page/pageServices';

/** Pause in typing after which the host searches. */
const SEARCH_DELAY_MS = 120;
/** Minimum length of a query: shorter ones occur in every message. */
const MIN_QUERY_LENGTH = 2;

export interface Search {
  readonly hits: readonly SearchHit[];
  readonly searching: boolean;
}

const NO_RESULT: { query: string; hits: readonly SearchHit[]; done: boolean } = {
  query: '',
  hits: [],
  done: true,
};

/** Searches messages as the user types. Hits of the previous query are kept until there are new ones. */
export function useMessageSearch(filter: string): Search {
  const { host } = useServices();
  const [result, setResult] = useState(NO_RESULT);
  const trimmed = filter.trim();
  const query = trimmed.length < MIN_QUERY_LENGTH ? '' : trimmed;
  useEffect(() => {
    if (query === '') {
      setResult(NO_RESULT);
      return;
    }
    let unsubscribe: (() => void) | undefined;
    const timer = setTimeout(() => {
      unsubscribe = host.subscribe('search', { query }, (found) => setResult({ query, ...found }));
    }, SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
      unsubscribe?.();
    };
  }, [host, query]);
  if (query === '') return { hits: [], searching: false };
  return { hits: result.hits, searching: result.query !== query || !result.done };
}
