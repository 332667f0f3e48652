import addIcon from '@vscode/codicons/src/icons/add.svg';
import chevronDownIcon from '@vscode/codicons/src/icons/chevron-down.svg';
import globeIcon from '@vscode/codicons/src/icons/globe.svg';
import { composeMessage, countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { Bot, ComposingView, Overflow, PanelState, QueueView } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { IconButton } from '../components/IconButton';
import { EarlierAnswer } from '../earlierAnswers/EarlierAnswer';
import { Mentions } from '../mentions/Mentions';
import { usePage, useServices } from '../page/pageServices';
import { Prompts } from '../prompts/Prompts';
import { Queue } from '../queue/Queue';
import { ContextChips } from './ContextChips';
import { OverflowOffer } from './OverflowOffer';

interface Props {
  readonly conversationId: string;
  readonly bot: Bot | undefined;
  readonly composing: ComposingView | undefined;
  readonly queue: QueueView | undefined;
  readonly streaming: boolean;
  /** The text in the composer. */
  readonly text: string;
  readonly sendWith: PanelState['sendWith'];
  /** The whole message, chips included. */
  readonly message: string;
  /** Length of the message in code points if it is near the limit, otherwise 0. */
  readonly count: number;
  readonly overflow: Overflow | undefined;
  /** Whether it can be sent now. */
  readonly ready: boolean;
  readonly sending: boolean;
  /** Whether the text is a new message, and not one from before. */
  readonly isDraft: boolean;
}

/** The parts above the composer: the queue, and the options for a text that is too long. */
export function AboveComposer(props: Props) {
  const countCharacters = (text: string) =>
    countCodePoints(composeMessage(text, props.composing?.context ?? []));
  return (
    <>
      <Queue key={`queue ${props.conversationId}`} {...props} />
      {props.count > MESSAGE_LIMIT && <OverflowOffer key={props.conversationId} {...props} />}
      <EarlierAnswer
        key={`earlier ${props.conversationId}`}
        {...props}
        isDraft={props.isDraft && !props.sending && props.count <= MESSAGE_LIMIT}
      />
      <Prompts key={`prompts ${props.conversationId}`} {...props} countCharacters={countCharacters} />
      <Mentions key={`mentions ${props.conversationId}`} {...props} countCharacters={countCharacters} />
    </>
  );
}

/** The part of the composer above the text: the context chips. */
export function ComposerTop({ conversationId, composing }: Pick<Props, 'conversationId' | 'composing'>) {
  const { context = [] } = composing ?? {};
  return context.length > 0 && <ContextChips conversationId={conversationId} context={context} />;
}

/** Moves an edited message to a new conversation, with the transcript up to that message. */
export function AskInFork({
  conversationId,
  turnId,
  text,
}: Pick<Props, 'conversationId' | 'text'> & { readonly turnId: string }) {
  const { host, page } = useServices();
  const fork = async () => {
    const request = { conversationId, turnId, draft: text };
    if (await host.request('forkConversation', request)) page.endEdit(conversationId, text);
  };
  return (
    <button
      type="button"
      class="quiet-button"
      title={t('Move the message to a new conversation that includes the transcript up to here')}
      onClick={() => void page.showFailureOf(fork())}
    >
      {t('In a New Conversation')}
    </button>
  );
}

/** Buttons in the composer's bar. */
export function ComposerButtons({
  conversationId,
  bot,
  composing,
}: Pick<Props, 'conversationId' | 'bot' | 'composing'>) {
  const page = usePage();
  const on = composing?.webSearch === true;
  return (
    <>
      <IconButton
        icon={addIcon}
        name={t('Add Context…')}
        keepsFocus
        onClick={() => page.events.fire('mention', undefined)}
      />
      <button
        type="button"
        class="icon-button toggle"
        aria-label={t('Search the Web')}
        title={t('Search the Web (replies arrive all at once)')}
        aria-pressed={on}
        onClick={() => page.post({ type: 'setWebSearch', conversationId, on: !on })}
      >
        <Icon file={globeIcon} />
      </button>
      {bot && (
        <button
          type="button"
          class="bot-button"
          aria-label={t('Bot: {0}', escapeInvisible(bot.name))}
          title={t('Change Bot…')}
          onClick={() => page.post({ type: 'changeBot', conversationId })}
        >
          <bdi>{escapeInvisible(bot.name)}</bdi>
          <Icon file={chevronDownIcon} />
        </button>
      )}
    </>
  );
}
