import { useEffect, useState } from 'preact/hooks';
import type { SearchHit } from '../../shared/viewModel';
import { usePage } from '../page/page';

/** Pause in typing after which the host searches. */
const DELAY = 120;
/** Minimum length of a query: shorter ones occur in every message. */
const SHORTEST = 2;

export interface Search {
  readonly hits: readonly SearchHit[];
  readonly searching: boolean;
}

const NONE: { query: string; hits: readonly SearchHit[]; done: boolean } = {
  query: '',
  hits: [],
  done: true,
};

/** Searches messages as the user types. Hits of the previous query are kept until there are new ones. */
export function useMessageSearch(filter: string): Search {
  const page = usePage();
  const [result, setResult] = useState(NONE);
  const trimmed = filter.trim();
  const query = trimmed.length < SHORTEST ? '' : trimmed;
  useEffect(() => {
    if (query === '') {
      setResult(NONE);
      return;
    }
    let running = false;
    const timer = setTimeout(() => {
      running = true;
      page.post({ type: 'search', query });
    }, DELAY);
    page.list.found = (of, hits, done) => {
      if (of !== query) return;
      running = !done;
      setResult({ query, hits, done });
    };
    return () => {
      clearTimeout(timer);
      page.list.found = undefined;
      if (running) page.post({ type: 'search', query: '' });
    };
  }, [page, query]);
  if (query === '') return { hits: [], searching: false };
  return { hits: result.hits, searching: result.query !== query || !result.done };
}
