import type { Events } from '../base/events';
import { t } from '../base/l10n';
import { getLastFocused } from '../base/lastFocus';
import type { HostEvents } from './hostConnection';
import { focusTranscript, focusTurn } from './turnNavigation';

/** Areas of the page that open, with the focus in them, when the host asks for it. */
const AREAS = ['showList', 'find', 'showTimeline'] as const;

export type FocusEvents = { readonly [K in (typeof AREAS)[number] | 'showDocuments']: undefined };

interface FocusedPage {
  readonly events: Pick<Events<FocusEvents>, 'fire' | 'on'>;
  /** Whether the conversation has documents; undefined until it is known. */
  hasDocuments(): boolean | undefined;
  announce(text: string): void;
}

/** Moves the focus as the host's messages ask: to the composer if what they ask for isn't there. */
export class PageFocus {
  readonly #page: FocusedPage;
  /**
   * Set while the composer is to get the focus and isn't rendered yet. Set at first if the page loads with the focus, as
   * VS Code may load it again after the host has moved the focus in it.
   */
  #isComposerRequested = document.hasFocus();
  /** Set while the documents are to get the focus and aren't rendered yet. */
  #areDocumentsRequested = false;

  constructor(messages: Events<HostEvents>, page: FocusedPage) {
    this.#page = page;
    const ensureFocus = (hasMoved: boolean) => {
      if (!hasMoved) this.focusComposer();
    };
    messages.on('focusComposer', () => ensureFocus(focusDialog()));
    messages.on('focusTranscript', () => ensureFocus(focusTranscript()));
    messages.on('previousTurn', () => ensureFocus(focusTurn(-1)));
    messages.on('nextTurn', () => ensureFocus(focusTurn(1)));
    messages.on('showDocuments', () => this.#showDocuments());
    for (const area of AREAS) messages.on(area, () => ensureFocus(page.events.fire(area, undefined)));
    // When VS Code focuses the page itself, as it may do after the host's message, nothing in it is focused.
    window.addEventListener('focus', () => getLastFocused()?.focus({ preventScroll: true }));
  }

  /** Moves the focus to the text box, or to the current step of the setup. */
  focusComposer(): void {
    const target = document.querySelector<HTMLElement>('#message, .setup .primary');
    this.#isComposerRequested = !target;
    target?.focus();
  }

  /**
   * Calls the listener when the documents are to get the focus, and at once if that was requested before they were
   * rendered. Returns the function that removes it.
   */
  onShowDocuments(listener: () => void): () => void {
    if (this.#areDocumentsRequested) listener();
    this.#areDocumentsRequested = false;
    return this.#page.events.on('showDocuments', listener);
  }

  /** Renders the page: removing the focused element, such as a completed setup step, must not lose the focus. */
  keepFocusDuring(render: () => void): void {
    const focused = document.activeElement;
    render();
    const hasLostFocus = document.activeElement === document.body && focused?.isConnected === false;
    if (this.#isComposerRequested || hasLostFocus) this.focusComposer();
  }

  #showDocuments(): void {
    if (this.#page.events.fire('showDocuments', undefined)) return;
    this.#areDocumentsRequested = this.#page.hasDocuments() ?? true;
    if (this.#areDocumentsRequested) return;
    this.focusComposer();
    this.#page.announce(t('This conversation has no documents.'));
  }
}

/** Moves the focus into the open dialog, such as the list of conversations; returns false if none is open. */
function focusDialog(): boolean {
  const dialog = document.querySelector('[aria-modal="true"]');
  dialog?.querySelector<HTMLElement>('input')?.focus();
  return dialog !== null;
}
