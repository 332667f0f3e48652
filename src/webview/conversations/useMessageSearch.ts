import { useEffect, useState } from 'preact/hooks';
import type { SearchHit } from '../../shared/viewModel';
import { usePage } from '../page/page';

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
  const page = usePage();
  const [result, setResult] = useState(NO_RESULT);
  const trimmed = filter.trim();
  const query = trimmed.length < MIN_QUERY_LENGTH ? '' : trimmed;
  useEffect(() => {
    if (query === '') {
      setResult(NO_RESULT);
      return;
    }
    let running = false;
    const timer = setTimeout(() => {
      running = true;
      page.post({ type: 'search', query });
    }, SEARCH_DELAY_MS);
    page.list.showHits = (hitsQuery, hits, done) => {
      if (hitsQuery !== query) return;
      running = !done;
      setResult({ query, hits, done });
    };
    return () => {
      clearTimeout(timer);
      page.list.showHits = undefined;
      if (running) page.post({ type: 'search', query: '' });
    };
  }, [page, query]);
  if (query === '') return { hits: [], searching: false };
  return { hits: result.hits, searching: result.query !== query || !result.done };
}
