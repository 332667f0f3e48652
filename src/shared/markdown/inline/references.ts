import { NEED_MORE, type NeedMore } from '../../text/needMore';
import { type LinkTarget, scanDestination, scanLabel, scanTitle, skipSpaces } from './scan/linkScan';

/** A text waiting for the definition of a label. */
interface LabelUser {
  /** Renders again; returns false if it is too long to do so before the end. `isEnd`: no more text follows. */
  renderAgain(isEnd: boolean): boolean;
}

/** Enough for thousands of uses. A copied selection repeats the address and the title for each. */
const ROOM = 2 ** 20;

/** The link reference definitions of one text, and the users of undefined labels. */
export class References {
  readonly #targets = new Map<string, LinkTarget>();
  readonly #room = { left: ROOM };
  readonly #waiting = new Map<string, Set<LabelUser>>();
  /** The users of labels that were defined since their last rendering. */
  readonly #stale = new Set<LabelUser>();

  /** Defines a label; only its first definition counts. */
  define(label: string, target: LinkTarget): void {
    const key = normalizeLabel(label);
    if (this.#targets.has(key)) return;
    // Each definition makes room for one use.
    this.#room.left += target.destination.length + (target.title?.length ?? 0);
    this.#targets.set(key, { ...target, room: this.#room });
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    for (const user of waiting ?? []) this.#stale.add(user);
  }

  /** Renders the users of newly defined labels, each once however many of its labels were defined. */
  refreshUsers(isEnd: boolean): void {
    for (const user of this.#stale) if (user.renderAgain(isEnd)) this.#stale.delete(user);
  }

  find(label: string, user: LabelUser): LinkTarget | undefined {
    const key = normalizeLabel(label);
    const target = this.#targets.get(key);
    if (target) return target;
    const waiting = this.#waiting.get(key);
    if (waiting) waiting.add(user);
    else this.#waiting.set(key, new Set([user]));
    return undefined;
  }
}

function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

export interface Definition {
  readonly label: string;
  readonly target: LinkTarget;
  /** Start of the next line. */
  readonly end: number;
}

/**
 * Scans the definition that a paragraph may start with: `[label]: destination "title"`. While the text is `open`,
 * returns `'label'` if there is only a label so far, and NEED_MORE if the definition may continue.
 */
export function scanDefinition(
  text: string,
  position: number,
  open: boolean,
): Definition | 'label' | NeedMore | undefined {
  if (text[position] !== '[') return undefined;
  const label = scanLabel(text, position, open);
  if (label === NEED_MORE) return 'label';
  if (!label || label.value.trim() === '') return undefined;
  if (open && label.end === text.length) return 'label';
  if (text[label.end] !== ':') return undefined;
  const start = skipSpaces(text, label.end + 1);
  if (start >= text.length) return open ? NEED_MORE : undefined;
  const destination = scanDestination(text, start, open);
  if (typeof destination !== 'object') return destination;
  if (destination.end === start) return undefined;
  const titleStart = skipSpaces(text, destination.end);
  const title = titleStart > destination.end ? scanTitle(text, titleStart, open) : undefined;
  if (title === NEED_MORE || (open && titleStart >= text.length)) return NEED_MORE;
  if (title) {
    const end = findLineEnd(text, title.end);
    if (open && end === text.length) return NEED_MORE;
    const target = { destination: destination.value, title: title.value };
    if (end !== undefined) return { label: label.value, target, end: end + 1 };
  }
  // Without a title, or with text on the next line that only looked like one.
  const end = findLineEnd(text, destination.end);
  if (end === undefined) return undefined;
  return { label: label.value, target: { destination: destination.value, title: undefined }, end: end + 1 };
}

/** Returns the end of the line if nothing else is on it. */
function findLineEnd(text: string, position: number): number | undefined {
  let end = position;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return end >= text.length || text[end] === '\n' ? end : undefined;
}
