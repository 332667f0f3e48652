import circleSlashIcon from '@vscode/codicons/src/icons/circle-slash.svg';
import commentDiscussionIcon from '@vscode/codicons/src/icons/comment-discussion.svg';
import errorIcon from '@vscode/codicons/src/icons/error.svg';
import infoIcon from '@vscode/codicons/src/icons/info.svg';
import markdownIcon from '@vscode/codicons/src/icons/markdown.svg';
import warningIcon from '@vscode/codicons/src/icons/warning.svg';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { escapeBidi, escapeInvisible } from '../../shared/text/escapeInvisible';
import type { ReplyTurn, Usage } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { formatCount, t } from '../base/l10n';
import { mayHaveRightToLeft, setDirection } from '../base/textDirection';
import { createCodeBlockHooks } from '../code/codeBlock';
import { offerApply } from '../code/codeToolbar';
import { ProblemActions, ProblemText } from '../components/Problem';
import { TurnForks } from '../forks/forkLinks';
import { MarkdownStream, renderMarkdown } from '../markdown/markdownStream';
import { usePage, useServices } from '../page/pageServices';
import { addTableToolbars } from '../tables/tables';
import { Sources } from './Sources';
import { AskAgain, CopyTurn, Fork, TurnTime } from './TurnActions';
import { TurnArticle } from './TurnArticle';

/** Time without a chunk after which the page shows that it is still waiting. */
const STILL_WAITING_MS = 20_000;
/** How many trailing characters of the previous chunk may belong to a split character or entity. */
const SPLIT_LENGTH = 4;

interface Props {
  readonly conversationId: string;
  readonly reply: ReplyTurn;
}

export function Reply({ conversationId, reply }: Props) {
  const { ending } = reply;
  const lastChunkAt = useRef(performance.now());
  const name = escapeInvisible(reply.bot) || t('Bot');
  return (
    <TurnArticle class="reply" turnId={reply.id} name={name} busy={ending === undefined}>
      <header class="reply-head">
        <h2 class="reply-bot">
          <span class="avatar">
            <Icon file={commentDiscussionIcon} />
          </span>
          <bdi>{name}</bdi>
        </h2>
        <TurnTime at={reply.at} />
      </header>
      <Body key={reply.id} reply={reply} lastChunkAt={lastChunkAt} />
      {ending === undefined && reply.webSearch && (
        <p class="notice quiet" role="status">
          {t('Searching the web…')}
        </p>
      )}
      {ending === undefined && <Waiting lastChunkAt={lastChunkAt} />}
      {reply.skipped && (
        <p class="notice quiet">
          <Icon file={infoIcon} />
          {t('Parts of this reply couldn’t be read and were left out.')}
        </p>
      )}
      <Ending conversationId={conversationId} reply={reply} />
      {reply.webSearch && ending === 'complete' && <p class="notice quiet">{t('Searched the web')}</p>}
      {reply.sources && <Sources conversationId={conversationId} turnId={reply.id} sources={reply.sources} />}
      <TurnForks turnId={reply.id} />
      {ending !== undefined && reply.text !== '' && (
        <div class="turn-actions">
          <CopyTurn name={t('Copy Reply')} text={() => toPlainText(reply.text)} />
          <CopyTurn name={t('Copy as Markdown')} icon={markdownIcon} text={() => reply.text} />
          {ending === 'complete' && <AskAgain replyId={reply.id} />}
          <Fork conversationId={conversationId} turnId={reply.id} />
          {reply.usage && <span class="turn-usage">{formatUsage(reply.usage)}</span>}
        </div>
      )}
    </TurnArticle>
  );
}

/** Converts Markdown to the text that is displayed. It is rendered again, because `innerText` skips text out of view. */
function toPlainText(markdown: string): string {
  const container = document.createElement('div');
  container.className = 'unseen copying markdown';
  document.body.append(container);
  renderMarkdown(container, markdown);
  for (const details of container.querySelectorAll('details')) details.open = true;
  const text = container.innerText;
  container.remove();
  return text.trim();
}

/** The reply's text. Chunks are appended directly, so that a chunk renders no component. */
function Body({
  reply,
  lastChunkAt,
}: {
  readonly reply: ReplyTurn;
  readonly lastChunkAt: RefObject<number>;
}) {
  const services = useServices();
  const { page, pathLinks } = services;
  const container = useRef<HTMLDivElement>(null);
  const stream = useRef<MarkdownStream | undefined>(undefined);
  const shown = useRef('');
  const { id, text } = reply;
  const ended = reply.ending !== undefined;

  const append = (chunk: string) => {
    const { current: body } = container;
    // Before layout: Chromium takes quadratic time for long paragraphs with a direction of their own.
    if (body && mayHaveRightToLeft(shown.current.slice(-SPLIT_LENGTH) + chunk)) body.classList.add('has-rtl');
    stream.current?.appendMarkdown(escapeBidi(chunk));
    shown.current += chunk;
    if (body && !body.dir) setDirection(body);
  };

  useLayoutEffect(() => {
    if (ended) return;
    return page.events.on('chunk', ({ turnId, text: chunk }) => {
      if (turnId !== id) return;
      append(chunk);
      lastChunkAt.current = performance.now();
    });
  }, [page, id, ended, lastChunkAt]);

  useLayoutEffect(() => {
    if (!container.current) return;
    if (!stream.current || !text.startsWith(shown.current)) {
      container.current.replaceChildren();
      container.current.removeAttribute('dir');
      container.current.classList.remove('has-rtl');
      stream.current = new MarkdownStream(container.current, createCodeBlockHooks(services));
      shown.current = '';
    }
    if (text.length > shown.current.length) append(text.slice(shown.current.length));
    if (!ended) return;
    stream.current.end();
    offerApply(container.current);
    addTableToolbars(container.current, page);
    void pathLinks.addReply(container.current);
    // If the turn changes later under the same ID, it is rendered from scratch.
    stream.current = undefined;
  }, [services, pathLinks, text, ended]);

  return <div class="markdown" data-turn={id} ref={container} />;
}

/** Shows that the reply is awaited. Chunks bypass components, so it polls for the time of the last one. */
function Waiting({ lastChunkAt }: { readonly lastChunkAt: RefObject<number> }) {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const update = () => setIsLong(performance.now() - (lastChunkAt.current ?? 0) >= STILL_WAITING_MS);
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, [lastChunkAt]);
  return (
    <>
      <div class="waiting" title={t('Waiting for the reply')}>
        <span />
        <span />
        <span />
      </div>
      {isLong && (
        <p class="notice quiet" role="status">
          {t('Still waiting for the service. If you stop, the part of the reply that has arrived is kept.')}
        </p>
      )}
    </>
  );
}

function Ending({ conversationId, reply }: Props) {
  const page = usePage();
  const { ending, problem } = reply;
  if (ending === undefined || ending === 'complete') return null;
  if (ending === 'stopped') {
    return (
      <p class="notice quiet">
        <Icon file={circleSlashIcon} />
        {t('Stopped')}
      </p>
    );
  }
  const retry = () => {
    page.post({ type: 'retry', conversationId, turnId: reply.id });
    page.focusComposer();
  };
  return (
    <div class={`notice ${ending}`}>
      <Icon file={ending === 'failed' ? errorIcon : warningIcon} />
      <div class="notice-text">
        {ending === 'failed' ? (
          <ProblemText problem={problem ?? { text: t('The reply failed.'), actions: [] }} />
        ) : (
          <>
            <p>{t('The reply was interrupted. The part that arrived is kept.')}</p>
            {problem && problem.text !== t('The reply was interrupted. The part that arrived is kept.') && (
              <p>{problem.text}</p>
            )}
          </>
        )}
        {problem && (
          <ProblemActions
            problem={problem}
            conversationId={conversationId}
            onRetry={retry}
            onShowWhole={() => {
              page.post({ type: 'showWhole', conversationId, turnId: reply.id });
              page.focusComposer();
            }}
          />
        )}
      </div>
    </div>
  );
}

function formatUsage({ tokens, credits }: Usage): string {
  return [
    credits === undefined ? '' : t('Credits: {0}', formatCount(credits)),
    tokens === undefined ? '' : t('Tokens: {0}', formatCount(tokens)),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
