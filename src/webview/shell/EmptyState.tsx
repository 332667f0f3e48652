import commentDiscussionIcon from '@vscode/codicons/src/icons/comment-discussion.svg';
import fileIcon from '@vscode/codicons/src/icons/file.svg';
import selectionIcon from '@vscode/codicons/src/icons/list-selection.svg';
import mentionIcon from '@vscode/codicons/src/icons/mention.svg';
import newLineIcon from '@vscode/codicons/src/icons/newline.svg';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { Bot, PanelState } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { useIdleImport } from '../page/useIdleImport';

const hints = {
  upload: t('Right-click a file in the Explorer and choose “Upload to Conversation” to ask about it.'),
  selection: t('Select code and run “Ask About Selection” to ask about it.'),
  lists: t('Type @ to mention files and more, or / to use a prompt.'),
  keys: {
    enter: t('Enter sends the message; Shift+Enter inserts a line break.'),
    ctrlEnter: t('Ctrl+Enter sends the message; Enter inserts a line break.'),
  },
} as const;

interface Props {
  readonly bot: Bot | undefined;
  readonly sendWith: PanelState['sendWith'];
}

/** Shown for a conversation without turns. */
export function EmptyState({ bot, sendWith }: Props) {
  const prompts = useIdleImport(() => import('../prompts/PromptButtons'));
  return (
    <section class="welcome empty">
      <div class="welcome-icon">
        <Icon file={commentDiscussionIcon} />
      </div>
      <h2>
        <bdi>{bot ? escapeInvisible(bot.name) : t('New Conversation')}</bdi>
      </h2>
      <p>{t('Ask a question or add a document.')}</p>
      {prompts && <prompts.PromptButtons />}
      <ul class="hints">
        <Hint icon={fileIcon} text={hints.upload} />
        <Hint icon={selectionIcon} text={hints.selection} />
        <Hint icon={mentionIcon} text={hints.lists} />
        <Hint icon={newLineIcon} text={hints.keys[sendWith]} />
      </ul>
    </section>
  );
}

function Hint({ icon, text }: { readonly icon: string; readonly text: string }) {
  return (
    <li>
      <Icon file={icon} />
      <span>{text}</span>
    </li>
  );
}
