import closeIcon from '@vscode/codicons/src/icons/close.svg';
import historyIcon from '@vscode/codicons/src/icons/history.svg';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MAX_DRAFTED_QUESTION_LENGTH } from '../../shared/protocol/limits';
import { escapeBidi, escapeInvisible } from '../../shared/text/escapeInvisible';
import type { EarlierAnswerText, EarlierQuestion } from '../../shared/view/viewModel';
import { formatAge, formatPreciseTime } from '../base/format';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { mayHaveRightToLeft, setDirection } from '../base/textDirection';
import { createCodeBlockHooks } from '../code/codeBlock';
import { offerApply } from '../code/codeToolbar';
import { IconButton } from '../components/IconButton';
import { useMessageBox } from '../components/useMessageBox';
import { renderMarkdown } from '../markdown/markdownStream';
import { usePage, useServices } from '../page/pageServices';
import { addTableToolbars } from '../tables/tables';
import './earlierAnswers.css';

interface Props {
  readonly conversationId: string;
  /** The text in the composer. */
  readonly text: string;
  /** Whether it is a question of its own, and not a message from before. */
  readonly isDraft: boolean;
  /** Whether it can be sent now. */
  readonly ready: boolean;
  readonly streaming: boolean;
}

/** Pause in typing after which the host searches. */
const SEARCH_DELAY_MS = 300;
/** The host knows what a word is; this spares it the beginning of each message. */
const MIN_WORDS = 4;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const OPEN_ID = 'earlier-answer';

/** Offers the answer to a question that was asked before, in one line above the composer. */
export function EarlierAnswer({ conversationId, text, isDraft, ready, streaming }: Props) {
  const { host, page } = useServices();
  const [found, setFound] = useState<EarlierQuestion>();
  const [answer, setAnswer] = useState<EarlierAnswerText>();
  const wasEmpty = useRef(text === '');
  const isOpen = answer !== undefined;
  const mayAsk = isDraft && text.length <= MAX_DRAFTED_QUESTION_LENGTH && hasEnoughWords(text);

  const hide = () => {
    setFound(undefined);
    setAnswer(undefined);
  };
  const close = () => {
    hide();
    page.post({ type: 'closeEarlierAnswer', conversationId });
  };
  const dismiss = () => {
    close();
    page.focusComposer();
  };

  useEffect(() => {
    if (text === '') wasEmpty.current = true;
    if (!mayAsk) hide();
  }, [text, mayAsk]);
  // While an answer is open, it stays, whatever is typed.
  const searched = isOpen ? undefined : text;
  const unsubscribe = useRef<() => void>(undefined);
  useEffect(() => {
    if (!mayAsk || searched === undefined) return;
    const timer = setTimeout(() => {
      unsubscribe.current?.();
      const request = { conversationId, text: searched, isNewDraft: wasEmpty.current };
      wasEmpty.current = false;
      unsubscribe.current = host.subscribe('findEarlierAnswer', request, (value) => {
        setFound(value ?? undefined);
        if (!value) setAnswer(undefined);
        else if (value.isNew) page.announce(formatFound(value));
      });
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [searched, mayAsk]);
  // Followed until the next search: an answer that is deleted vanishes.
  useEffect(() => {
    if (!mayAsk) unsubscribe.current?.();
    if (!mayAsk) unsubscribe.current = undefined;
  }, [mayAsk]);
  useEffect(() => () => unsubscribe.current?.(), []);

  const onEscape = useRef<() => boolean>(() => false);
  onEscape.current = () => {
    // While a reply streams, Escape stops it.
    if (!found || streaming) return false;
    dismiss();
    return true;
  };
  useMessageBox((box) => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if (onEscape.current()) event.preventDefault();
    };
    box.addEventListener('keydown', onKeyDown);
    return () => box.removeEventListener('keydown', onKeyDown);
  });

  if (!found) return null;
  const open = async () => {
    if (isOpen) return setAnswer(undefined);
    const read = await host.request('readEarlierAnswer', { conversationId });
    if (read) setAnswer(read);
    else hide();
  };
  const askAnyway = () => {
    close();
    page.sendMessage();
    page.focusComposer();
  };
  const { turnId, conversationId: earlierId, at } = found;
  const question = escapeInvisible(found.text);
  return (
    <section
      class="asked"
      aria-label={t('Asked Before')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        dismiss();
      }}
    >
      <div class="asked-line">
        <button
          type="button"
          class="asked-show"
          aria-expanded={isOpen}
          aria-controls={isOpen ? OPEN_ID : undefined}
          title={isOpen ? t('Hide Answer') : t('Show Answer')}
          onClick={() => void page.showFailureOf(open())}
        >
          <Icon file={historyIcon} />
          <span class="asked-label">{formatLabel(found)}</span>{' '}
          <bdi class={isOpen ? 'asked-question whole' : 'asked-question'}>{question}</bdi>{' '}
          <span class="asked-about">
            <bdi class="asked-bot">{escapeInvisible(found.bot)}</bdi>
            <time dateTime={new Date(at).toISOString()} title={formatPreciseTime(at)}>
              {formatAge(at, Date.now())}
            </time>
          </span>
        </button>
        <IconButton icon={closeIcon} name={t('Dismiss (Escape)')} onClick={dismiss} />
      </div>
      {answer && (
        <div class="asked-answer" id={OPEN_ID}>
          <AnswerText text={answer.text} />
          {answer.isCut && <p class="notice quiet">{t('The rest of the answer is in its conversation.')}</p>}
          <div class="problem-actions">
            <button type="button" class="button primary" disabled={!ready} onClick={askAnyway}>
              {t('Ask Anyway')}
            </button>
            <button
              type="button"
              class="button"
              onClick={() => page.post({ type: 'openTurn', conversationId: earlierId, turnId })}
            >
              {t('Open Conversation')}
            </button>
          </div>
        </div>
      )}
    </section>
  );
}

/** The answer, rendered as any reply: it is just as untrusted. */
function AnswerText({ text }: { readonly text: string }) {
  const services = useServices();
  const page = usePage();
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: container } = body;
    if (!container) return;
    if (mayHaveRightToLeft(text)) container.classList.add('has-rtl');
    renderMarkdown(container, escapeBidi(text), createCodeBlockHooks(services));
    setDirection(container);
    offerApply(container);
    addTableToolbars(container, page);
    void services.pathLinks.addReply(container);
  }, [services, text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it.
    <section class="asked-text" aria-label={t('Answer')} tabIndex={0}>
      <div class="markdown" ref={body} />
    </section>
  );
}

function hasEnoughWords(text: string): boolean {
  return UNSPACED.test(text) || text.trim().split(/\s+/, MIN_WORDS).length === MIN_WORDS;
}

function formatLabel({ agent }: EarlierQuestion): string {
  if (agent === undefined) return t('You asked before:');
  return agent === '' ? t('An agent asked before:') : t('{0} asked before:', escapeInvisible(agent));
}

/** For screen readers. */
function formatFound({ agent, text }: EarlierQuestion): string {
  const question = escapeInvisible(text);
  return agent === undefined
    ? t('You asked this before: “{0}”. The answer is above the text box.', question)
    : t('An agent asked this before: “{0}”. The answer is above the text box.', question);
}
