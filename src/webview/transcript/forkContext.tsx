import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { ConversationView, ForkLink, PanelState } from '../../shared/viewModel';
import type { ForkLinks, ResolvedLink } from './ForkLinks';

interface ForkContext {
  /** Loaded for the first conversation that has links. */
  readonly Links?: typeof ForkLinks;
  readonly forkedFrom?: ResolvedLink;
  readonly forks?: readonly ResolvedLink[];
}

const NO_FORKS: ForkContext = {};
const Context = createContext(NO_FORKS);

/** Provides the links of a conversation to its turns; it changes only if a link does. */
export const ForkProvider = Context.Provider;

/** Returns the links of a conversation for `ForkProvider`. */
export function useForks(
  { forkedFrom, forks }: ConversationView,
  conversations: PanelState['conversations'],
): ForkContext {
  const [Links, setLinks] = useState<{ readonly component: typeof ForkLinks }>();
  const hasLinks = (forkedFrom ?? forks) !== undefined;
  useEffect(() => {
    if (hasLinks) void import('./ForkLinks').then((script) => setLinks({ component: script.ForkLinks }));
  }, [hasLinks]);
  const before = useRef(NO_FORKS);
  if (!Links || !hasLinks) return NO_FORKS;
  const resolve = (link: ForkLink): ResolvedLink => {
    const summary = conversations.find(({ id }) => id === link.id);
    return { ...link, ...(summary?.name && { name: summary.name }), exists: summary !== undefined };
  };
  const links = {
    ...(forkedFrom && { forkedFrom: resolve(forkedFrom) }),
    ...(forks && { forks: forks.map(resolve) }),
  };
  const { Links: _, ...linksBefore } = before.current;
  if (JSON.stringify(links) !== JSON.stringify(linksBefore) || !before.current.Links)
    before.current = { Links: Links.component, ...links };
  return before.current;
}

/** The links to the forks at a turn. */
export function TurnForks({ turnId }: { readonly turnId: string }) {
  const { Links, forks = [] } = useContext(Context);
  const links = forks.filter((fork) => fork.turnId === turnId);
  return Links && links.length > 0 ? <Links links={links} /> : null;
}

/** The link to the conversation that this one was forked from. */
export function ForkedFrom() {
  const { Links, forkedFrom } = useContext(Context);
  return Links && forkedFrom ? <Links links={[forkedFrom]} isOrigin /> : null;
}
