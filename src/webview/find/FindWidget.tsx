import arrowDownIcon from '@vscode/codicons/src/icons/arrow-down.svg';
import arrowUpIcon from '@vscode/codicons/src/icons/arrow-up.svg';
import caseSensitiveIcon from '@vscode/codicons/src/icons/case-sensitive.svg';
import closeIcon from '@vscode/codicons/src/icons/close.svg';
import regexIcon from '@vscode/codicons/src/icons/regex.svg';
import wholeWordIcon from '@vscode/codicons/src/icons/whole-word.svg';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Turn } from '../../shared/view/viewModel';
import { adoptStyles } from '../base/adoptStyles';
import { withKey } from '../base/format';
import { Icon } from '../base/icons';
import { formatCount, t } from '../base/l10n';
import { IconButton } from '../components/IconButton';
import { useFocusReturn } from '../page/useFocusReturn';
import { getScrollPosition } from '../transcript/turns/scrollPosition';
import css from './find.css?text';
import { Finder, type FindStatus } from './finder';
import type { Scroller } from './matchView';
import type { FindQuery } from './pattern';

interface Props {
  /** A new object each time that the widget is to get the focus. */
  readonly request: object;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLElement | null>;
  readonly autoScroller: RefObject<Scroller | undefined>;
  readonly turns: readonly Turn[];
  readonly earlier: boolean;
  readonly onClose: () => void;
}

type Option = Exclude<keyof FindQuery, 'text'>;

const MAX_QUERY_LENGTH = 1000;

/** The options, by the code of the key that toggles each together with Alt. */
const options: Readonly<Record<string, { option: Option; name: string; icon: string; key: string }>> = {
  KeyC: { option: 'matchCase', name: t('Match Case'), icon: caseSensitiveIcon, key: 'C' },
  KeyW: { option: 'wholeWord', name: t('Match Whole Word'), icon: wholeWordIcon, key: 'W' },
  KeyR: { option: 'regex', name: t('Use Regular Expression'), icon: regexIcon, key: 'R' },
};
const ALT = /^Mac/.test(navigator.platform) ? '⌥⌘' : 'Alt+';

/** As in VS Code, the widget opens with what was last searched for. */
let lastQuery: FindQuery = { text: '', matchCase: false, wholeWord: false, regex: false };

adoptStyles(css);

/** VS Code's find widget, for the transcript: webview views have none. */
export function FindWidget({ request, scroller, content, autoScroller, turns, earlier, onClose }: Props) {
  const focusReturn = useFocusReturn('.find');
  const input = useRef<HTMLInputElement>(null);
  const finder = useRef<Finder>(undefined);
  const [query, setQuery] = useState(lastQuery);
  const [status, setStatus] = useState<FindStatus>({ type: 'idle' });
  // Before the widget is in the page, which moves what is in sight at the very top.
  const [position] = useState(() => scroller.current && getScrollPosition(scroller.current));

  const search = (changes: Partial<FindQuery>) => {
    lastQuery = { ...lastQuery, ...changes };
    setQuery(lastQuery);
    finder.current?.search(lastQuery);
  };
  const toggle = (option: Option) => search({ [option]: !lastQuery[option] });
  const step = (direction: 1 | -1) => finder.current?.step(direction);
  const close = () => {
    finder.current?.restorePosition();
    onClose();
    focusReturn.restore();
  };

  useLayoutEffect(() => {
    const { current: element } = scroller;
    if (!element || !content.current || !autoScroller.current || !position) return;
    const transcript = { element, content: content.current, scroller: autoScroller.current, position };
    const created = new Finder(transcript, setStatus);
    finder.current = created;
    return () => created.dispose();
  }, []);
  useLayoutEffect(() => {
    finder.current?.setTurnCount(
      earlier ? Number.POSITIVE_INFINITY : turns.filter(({ kind }) => kind !== 'document').length,
    );
  }, [turns, earlier]);
  useLayoutEffect(() => {
    focusReturn.remember();
    const selected = getSelectedText(scroller.current);
    search(selected === '' ? {} : { text: selected });
    if (input.current) input.current.value = lastQuery.text;
    input.current?.focus();
    input.current?.select();
  }, [request]);
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isStep = event.key === 'F3' || (event.metaKey && event.key.toLowerCase() === 'g');
      if (!isStep || event.isComposing) return;
      consumeEvent(event);
      step(event.shiftKey ? -1 : 1);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const { option } = (event.altKey && !event.ctrlKey && !event.shiftKey && options[event.code]) || {};
    if (option) toggle(option);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === input.current) step(event.shiftKey ? -1 : 1);
    else return;
    consumeEvent(event);
  };

  const isWrong = status.type === 'invalid' || status.type === 'failed';
  const isEmpty = status.type !== 'found' || status.total === 0;
  return (
    <search class="find" aria-label={t('Find')} onKeyDown={onKeyDown}>
      <div class="find-field">
        <input
          ref={input}
          class="find-input"
          type="search"
          dir="auto"
          spellcheck={false}
          autocomplete="off"
          maxLength={MAX_QUERY_LENGTH}
          aria-label={t('Find')}
          aria-invalid={isWrong}
          placeholder={t('Find')}
          value={query.text}
          onInput={(event) => search({ text: event.currentTarget.value })}
        />
        {Object.values(options).map(({ option, name, icon, key }) => (
          <button
            key={option}
            type="button"
            class="find-option"
            aria-label={name}
            title={withKey(name, `${ALT}${key}`)}
            aria-pressed={query[option]}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => toggle(option)}
          >
            <Icon file={icon} />
          </button>
        ))}
      </div>
      <div class="find-actions">
        <span class="find-status" role="status">
          {formatStatus(status)}
        </span>
        <IconButton
          icon={arrowUpIcon}
          name={t('Previous Match')}
          title={withKey(t('Previous Match'), 'Shift+Enter')}
          keepsFocus
          disabled={isEmpty}
          onClick={() => step(-1)}
        />
        <IconButton
          icon={arrowDownIcon}
          name={t('Next Match')}
          title={withKey(t('Next Match'), 'Enter')}
          keepsFocus
          disabled={isEmpty}
          onClick={() => step(1)}
        />
        <IconButton
          icon={closeIcon}
          name={t('Close')}
          title={withKey(t('Close'), 'Escape')}
          keepsFocus
          onClick={close}
        />
      </div>
    </search>
  );
}

/** Keeps a key from the page and from VS Code, where Alt with a letter opens a menu. */
function consumeEvent(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Returns what is selected in the transcript, if it is part of a line. */
function getSelectedText(transcript: HTMLElement | null): string {
  const selection = document.getSelection();
  if (!selection || !transcript?.contains(selection.anchorNode)) return '';
  const text = selection.toString();
  return text.length > MAX_QUERY_LENGTH || /\n/.test(text) ? '' : text;
}

function formatStatus(status: FindStatus): string {
  switch (status.type) {
    case 'idle':
      return '';
    case 'searching':
      return t('Searching…');
    case 'invalid':
      return t('Invalid regular expression');
    case 'failed':
      return t('The search took too long');
    case 'found': {
      const { position, total, isLimited } = status;
      return total === 0
        ? t('No results')
        : t(
            '{0} of {1}',
            position > 0 ? formatCount(position) : '?',
            `${formatCount(total)}${isLimited ? '+' : ''}`,
          );
    }
  }
}
