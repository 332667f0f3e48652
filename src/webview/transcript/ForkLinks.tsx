import forkIcon from '@vscode/codicons/src/icons/repo-forked.svg';
import type { ForkLink } from '../../shared/viewModel';
import { escapeInvisible } from '../base/format';
import { Icon } from '../base/icons';
import { usePage } from '../page/services';
import { forkStrings } from './forkStrings';
import css from './forks.css?text';

/** A link to a fork or to the original, with the conversation's current name. */
export interface ResolvedLink extends ForkLink {
  /** Whether the conversation still exists. */
  readonly exists: boolean;
}

interface Props {
  readonly links: readonly ResolvedLink[];
  /** Whether the link is to the conversation that this one was forked from. */
  readonly isOrigin?: boolean;
}

// Not part of the page's own style sheet, which every start loads.
const styles = new CSSStyleSheet();
styles.replaceSync(css);
document.adoptedStyleSheets.push(styles);

/** Links to other conversations at the turn of the fork; the names of those that no longer exist are text. */
export function ForkLinks({ links, isOrigin }: Props) {
  const page = usePage();
  return links.map(({ id, name, turnId, exists }) => {
    const shown = escapeInvisible(name) || forkStrings.untitled;
    const text = isOrigin ? forkStrings.forkedFrom(shown) : forkStrings.forkedTo(shown);
    const open = () =>
      page.post(
        isOrigin
          ? { type: 'openTurn', conversationId: id, turnId }
          : { type: 'openConversation', conversationId: id },
      );
    return (
      <p key={id} class="fork-link">
        <Icon file={forkIcon} />
        {exists ? (
          // biome-ignore lint/a11y/useSemanticElements: there is no URL; the host opens the conversation.
          <button type="button" role="link" class="quiet-button" onClick={open}>
            <bdi>{text}</bdi>
          </button>
        ) : (
          <bdi>{text}</bdi>
        )}
      </p>
    );
  });
}
