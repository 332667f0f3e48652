import bookIcon from '@vscode/codicons/src/icons/book.svg';
import diffIcon from '@vscode/codicons/src/icons/diff.svg';
import ellipsisIcon from '@vscode/codicons/src/icons/ellipsis.svg';
import fileIcon from '@vscode/codicons/src/icons/file.svg';
import folderIcon from '@vscode/codicons/src/icons/folder.svg';
import selectionIcon from '@vscode/codicons/src/icons/list-selection.svg';
import symbolIcon from '@vscode/codicons/src/icons/symbol-method.svg';
import terminalIcon from '@vscode/codicons/src/icons/terminal.svg';
import warningIcon from '@vscode/codicons/src/icons/warning.svg';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MentionView } from '../../shared/conversation/mention';
import { MESSAGE_LIMIT } from '../../shared/conversation/message';
import type { ResponseTo } from '../../shared/protocol/requests';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { filterByRank, getFuzzyRank, getPathRank } from '../../shared/text/fuzzyMatch';
import { formatCount, plural, t } from '../base/l10n';
import { type CompletionItem, CompletionPopup } from '../components/CompletionPopup';
import { useMessageBox } from '../components/useMessageBox';
import { usePage, useServices } from '../page/pageServices';
import { getMentionQuery, getMentionRange, isMentionTyped, type MentionStart } from './mentionQuery';

/** A mention's kind, for screen readers, if its name doesn't tell. */
const kinds: Readonly<Partial<Record<MentionView['kind'], string>>> = {
  editor: t('Open Editor'),
  file: t('File'),
  folder: t('Folder'),
  symbol: t('Symbol'),
  document: t('Document'),
};

interface Props {
  readonly conversationId: string;
  /** The text in the composer. */
  readonly text: string;
  /** Returns the number of characters of the message with a text in the composer. */
  readonly countCharacters: (text: string) => number;
}

interface Typed {
  readonly start: MentionStart;
  readonly query: string;
  readonly caret: number;
}

type Found = ResponseTo<'findMentions'> & { readonly query: string };

/** Pause in typing after which the host searches. */
const SEARCH_DELAY_MS = 100;
/** The empty line before a chip. */
const CHIP_SEPARATOR_LENGTH = 2;
const MORE: CompletionItem = { id: 'more', name: t('More Context…'), icon: ellipsisIcon };
/** The kinds of input by which an `@` can be typed. Others are those of pasting, dropping, deleting and undoing. */
const TYPING = ['insertText', 'insertCompositionText'];

const ICONS = {
  editor: fileIcon,
  selection: selectionIcon,
  problems: warningIcon,
  diff: diffIcon,
  terminal: terminalIcon,
  document: bookIcon,
  file: fileIcon,
  folder: folderIcon,
  symbol: symbolIcon,
} as const satisfies Record<MentionView['kind'], string>;

/** Offers what a message can mention, after an `@` at the start of a word or the press of the button. */
export function Mentions({ conversationId, text, countCharacters }: Props) {
  const page = usePage();
  const { host } = useServices();
  const [typed, setTyped] = useState<Typed>();
  const [found, setFound] = useState<Found>();
  const start = useRef<MentionStart>(undefined);
  const query = typed?.query;
  const listId = typed?.start.listId;

  const close = () => {
    start.current = undefined;
    setTyped(undefined);
    setFound(undefined);
  };
  /** Reads the query at the caret, and closes the list if there is none. */
  const update = (message: HTMLTextAreaElement) => {
    if (!start.current) return;
    const { value, selectionStart: caret, selectionEnd } = message;
    const next = caret === selectionEnd ? getMentionQuery(value, caret, start.current) : undefined;
    if (next === undefined) close();
    else setTyped({ start: start.current, query: next, caret });
  };
  const open = (message: HTMLTextAreaElement, at: number, marker: MentionStart['marker']) => {
    close();
    start.current = { listId: crypto.randomUUID(), at, marker };
    update(message);
  };

  const box = useMessageBox((message) => {
    const onInput = (event: Event) => {
      const { value, selectionStart: caret } = message;
      const isTyping = event instanceof InputEvent && TYPING.includes(event.inputType);
      if (isTyping && isMentionTyped(value, caret)) open(message, caret - 1, '@');
      else update(message);
    };
    const onSelectionChange = () => update(message);
    const removeListener = page.events.on('mention', () => {
      message.focus();
      open(message, message.selectionStart, '');
    });
    message.addEventListener('input', onInput);
    document.addEventListener('selectionchange', onSelectionChange);
    return () => {
      removeListener();
      message.removeEventListener('input', onInput);
      document.removeEventListener('selectionchange', onSelectionChange);
    };
  });
  // The text can also change without typing, such as when it was sent.
  useLayoutEffect(() => {
    if (box) update(box);
  }, [text]);
  useEffect(() => {
    if (query === undefined || listId === undefined) return;
    let unsubscribe: (() => void) | undefined;
    const search = () => {
      unsubscribe = host.subscribe('findMentions', { conversationId, listId, query }, (value) =>
        setFound({ query, ...value }),
      );
    };
    const timer = setTimeout(search, query === '' ? 0 : SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
      unsubscribe?.();
    };
  }, [listId, query]);

  const isSearching = found?.query !== query || found?.isSearching === true;
  const mentions = found && query !== undefined ? filterFound(found, query) : [];
  const count = mentions.length;
  useEffect(() => {
    if (query === undefined || isSearching) return;
    page.announce(count === 0 ? t('No results') : plural(count, '{0} result', '{0} results'));
  }, [query, isSearching, count]);
  if (!typed || !box) return null;

  const [from, to] = getMentionRange(text, typed.caret, typed.start);
  const length = countCharacters((text.slice(0, from) + text.slice(to)).trimEnd());
  const remainingCharacters = Math.max(0, MESSAGE_LIMIT - length - (length > 0 ? CHIP_SEPARATOR_LENGTH : 0));
  const items = [
    ...mentions.map((mention) => toItem(mention, remainingCharacters)),
    ...((isSearching && count === 0) || getFuzzyRank(MORE.name, typed.query) > 0 ? [] : [MORE]),
  ];
  if (items.length === 0 && !isSearching) return null;

  const accept = async ({ id, name }: CompletionItem) => {
    close();
    box.setRangeText('', from, to, 'start');
    box.dispatchEvent(new Event('input', { bubbles: true }));
    if (id === MORE.id) {
      page.post({ type: 'addContext', conversationId });
      return;
    }
    const used = await host.request('useMention', { conversationId, mentionId: id, remainingCharacters });
    if (used === 'chip') page.announce(t('Added {0}', escapeInvisible(name)));
  };
  return (
    <CompletionPopup
      box={box}
      label={t('Mentions')}
      items={items}
      emptyText={t('Searching…')}
      onAccept={(item) => void page.showFailureOf(accept(item))}
      onClose={close}
    />
  );
}

/** Returns what was found; of what was found for the query before, what still matches. */
function filterFound({ mentions, query: foundFor }: Found, query: string): readonly MentionView[] {
  if (foundFor === query) return mentions;
  return filterByRank(mentions, ({ name, description = '' }) => getPathRank(name, description, query));
}

function toItem(
  { id, kind, name, description, characters, uploads }: MentionView,
  remainingCharacters: number,
): CompletionItem {
  const kindName = kinds[kind];
  const isUpload = uploads || (characters !== undefined && characters > remainingCharacters);
  const result = isUpload
    ? { label: t('Upload'), title: t('Upload') }
    : kind === 'terminal'
      ? { label: '…', title: t('Size not known until it’s added') }
      : characters !== undefined && {
          label: formatCount(characters),
          title: plural(characters, '{0} character', '{0} characters'),
        };
  return {
    ...{ id, name, icon: ICONS[kind] },
    ...(description !== undefined && { description }),
    ...(kindName !== undefined && { kind: kindName }),
    ...(result && { result }),
  };
}
