import forkIcon from '@vscode/codicons/src/icons/repo-forked.svg';
import { createContext } from 'preact';
import { useContext, useMemo, useRef } from 'preact/hooks';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { ConversationView, ForkLink, PanelState } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { usePage } from '../page/pageServices';

/** A link to a fork or to the original, with the conversation's current name. */
interface ResolvedLink extends ForkLink {
  /** Whether the conversation still exists. */
  readonly exists: boolean;
}

interface ForkContext {
  readonly forkedFrom?: ResolvedLink;
  readonly forks?: readonly ResolvedLink[];
}

const NO_FORKS: ForkContext = {};
const Context = createContext(NO_FORKS);

/** Provides the links of a conversation to its turns. */
export const ForkProvider = Context.Provider;

/** Returns the links of a conversation for `ForkProvider`: a new object only if a link changed. */
export function useForks(
  { forkedFrom, forks }: ConversationView,
  conversations: PanelState['conversations'],
): ForkContext {
  const before = useRef(NO_FORKS);
  const links = useMemo(
    () => resolveLinks({ forkedFrom, forks }, conversations),
    [forkedFrom, forks, conversations],
  );
  if (links !== before.current && JSON.stringify(links) !== JSON.stringify(before.current))
    before.current = links;
  return before.current;
}

function resolveLinks(
  {
    forkedFrom,
    forks,
  }: { readonly forkedFrom: ForkLink | undefined; readonly forks: readonly ForkLink[] | undefined },
  conversations: PanelState['conversations'],
): ForkContext {
  const resolve = (link: ForkLink): ResolvedLink => {
    const summary = conversations.find(({ id }) => id === link.id);
    return { ...link, ...(summary?.name && { name: summary.name }), exists: summary !== undefined };
  };
  return {
    ...(forkedFrom && { forkedFrom: resolve(forkedFrom) }),
    ...(forks && { forks: forks.map(resolve) }),
  };
}

/** The links to the forks at a turn. */
export function TurnForks({ turnId }: { readonly turnId: string }) {
  const page = usePage();
  const { forks } = useContext(Context);
  return forks
    ?.filter((fork) => fork.turnId === turnId)
    .map((fork) => (
      <Link
        key={fork.id}
        link={fork}
        format={(name) => t('Forked to {0}', name)}
        onOpen={() => page.post({ type: 'openConversation', conversationId: fork.id })}
      />
    ));
}

/** The link to the conversation that this one was forked from, at the turn of the fork. */
export function ForkedFrom() {
  const page = usePage();
  const { forkedFrom } = useContext(Context);
  if (!forkedFrom) return null;
  const { id: conversationId, turnId } = forkedFrom;
  return (
    <Link
      link={forkedFrom}
      format={(name) => t('Forked from {0}', name)}
      onOpen={() => page.post({ type: 'openTurn', conversationId, turnId })}
    />
  );
}

interface LinkProps {
  readonly link: ResolvedLink;
  readonly format: (name: string) => string;
  readonly onOpen: () => void;
}

/** A link to another conversation; the name of one that no longer exists is text. */
function Link({ link: { name, exists }, format, onOpen }: LinkProps) {
  const text = <bdi>{format(escapeInvisible(name) || t('Conversation'))}</bdi>;
  return (
    <p class="fork-link">
      <Icon file={forkIcon} />
      {exists ? (
        // biome-ignore lint/a11y/useSemanticElements: there is no URL; the host opens the conversation.
        <button type="button" role="link" class="quiet-button" onClick={onOpen}>
          {text}
        </button>
      ) : (
        text
      )}
    </p>
  );
}
