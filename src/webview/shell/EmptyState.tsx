import commentDiscussionIcon from '@vscode/codicons/src/icons/comment-discussion.svg';
import fileIcon from '@vscode/codicons/src/icons/file.svg';
import selectionIcon from '@vscode/codicons/src/icons/list-selection.svg';
import mentionIcon from '@vscode/codicons/src/icons/mention.svg';
import newLineIcon from '@vscode/codicons/src/icons/newline.svg';
import type { Bot, PanelState } from '../../shared/view/viewModel';
import { escapeInvisible } from '../base/format';
import { Icon } from '../base/icons';
import { strings } from '../base/strings';
import { useIdleImport } from '../base/useIdleImport';

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
        <bdi>{bot ? escapeInvisible(bot.name) : strings.newConversation}</bdi>
      </h2>
      <p>{strings.emptyText}</p>
      {prompts && <prompts.PromptButtons />}
      <ul class="hints">
        <Hint icon={fileIcon} text={strings.hints.upload} />
        <Hint icon={selectionIcon} text={strings.hints.selection} />
        <Hint icon={mentionIcon} text={strings.hints.lists} />
        <Hint icon={newLineIcon} text={strings.hints.keys[sendWith]} />
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
