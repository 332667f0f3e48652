import { type ComponentChildren, createContext } from 'preact';
import { useState } from 'preact/hooks';

/** Whether the buttons of a turn have their icons. */
export const HasIcons = createContext(false);

/** Whether there is no pointer to hover with: the actions are always shown then. */
const noHover = matchMedia('(hover: none)');

interface Props {
  readonly turnId: string;
  readonly class: string;
  readonly name: string;
  readonly busy?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A turn. Its buttons get their icons when they are shown for the first time, which is when the turn is hovered or has the
 * focus: Chromium goes through each `<svg>` of the page in every frame.
 */
export function TurnArticle({ turnId, class: kind, name, busy, children }: Props) {
  const [hasIcons, setHasIcons] = useState(noHover.matches);
  const showIcons = () => setHasIcons(true);
  return (
    <article
      class={`turn ${kind}`}
      data-turn={turnId}
      tabIndex={-1}
      aria-label={name}
      aria-busy={busy}
      onPointerEnter={showIcons}
      onFocusIn={showIcons}
    >
      <HasIcons.Provider value={hasIcons}>{children}</HasIcons.Provider>
    </article>
  );
}
