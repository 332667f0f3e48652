import bookmarkIcon from '@vscode/codicons/src/icons/bookmark.svg';
import checkIcon from '@vscode/codicons/src/icons/check.svg';
import copyIcon from '@vscode/codicons/src/icons/copy.svg';
import editIcon from '@vscode/codicons/src/icons/edit.svg';
import refreshIcon from '@vscode/codicons/src/icons/refresh.svg';
import forkIcon from '@vscode/codicons/src/icons/repo-forked.svg';
import type { ComponentProps } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { formatPreciseTime, formatTime } from '../base/format';
import { t } from '../base/l10n';
import { IconButton } from '../components/IconButton';
import { usePage, useServices } from '../page/pageServices';
import { HasIcons } from './TurnArticle';

/** Time for which a button shows that it has copied. */
const FEEDBACK_MS = 2000;

function ActionButton({ icon, ...rest }: ComponentProps<typeof IconButton>) {
  const hasIcons = useContext(HasIcons);
  return <IconButton {...rest} icon={hasIcons ? icon : undefined} />;
}

interface CopyProps {
  readonly name: string;
  readonly text: () => string;
  readonly icon?: string;
}

/** Copies a turn's text and confirms it with a check mark and an announcement. */
export function CopyTurn({ name, text, icon = copyIcon }: CopyProps) {
  const page = usePage();
  const [copies, setCopies] = useState(0);
  useEffect(() => {
    if (copies === 0) return;
    const timer = setTimeout(() => setCopies(0), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [copies]);
  const copy = () => {
    page.post({ type: 'copy', text: text() });
    page.announce(t('Copied'));
    setCopies(copies + 1);
  };
  return (
    <ActionButton
      icon={copies > 0 ? checkIcon : icon}
      name={copies > 0 ? t('Copied') : name}
      onClick={copy}
    />
  );
}

/** Puts a message back into the composer for editing. */
export function EditAndAsk({ turnId, text }: { readonly turnId: string; readonly text: string }) {
  const page = usePage();
  return (
    <ActionButton
      icon={editIcon}
      name={t('Edit and Ask Again')}
      onClick={() => page.editMessage(turnId, text)}
    />
  );
}

interface TurnProps {
  readonly conversationId: string;
  readonly turnId: string;
}

/** Starts a new conversation with the transcript up to a turn. */
export function Fork(turn: TurnProps) {
  const { host, page } = useServices();
  return (
    <ActionButton
      icon={forkIcon}
      name={t('Fork from Here')}
      title={t('Fork from Here (starts a new conversation with the transcript so far as a document)')}
      onClick={() => void page.showFailureOf(host.request('forkConversation', turn))}
    />
  );
}

/** Saves a message as a prompt. */
export function SavePrompt({ conversationId, turnId }: TurnProps) {
  const page = usePage();
  return (
    <ActionButton
      icon={bookmarkIcon}
      name={t('Save as Prompt…')}
      onClick={() => page.post({ type: 'savePrompt', conversationId, turnId })}
    />
  );
}

/** Sends the message that a reply answers again; hidden while nothing can be sent. */
export function AskAgain({ replyId }: { readonly replyId: string }) {
  const page = usePage();
  return (
    <ActionButton
      icon={refreshIcon}
      name={t('Ask Again')}
      title={t(
        'Ask Again (sends a new message, which counts toward your limit; the bot remembers this reply)',
      )}
      class="ask-again"
      onClick={() => page.askAgain(replyId)}
    />
  );
}

export function TurnTime({ at }: { readonly at: number }) {
  return (
    <time class="turn-time" dateTime={new Date(at).toISOString()} title={formatPreciseTime(at)}>
      {formatTime(at, Date.now())}
    </time>
  );
}
