import type { Bot, PanelState } from '../../shared/conversation';
import { inert } from '../format';
import { Icon, type IconName } from '../icons';
import { strings } from '../strings';

interface Props {
  readonly bot: Bot | undefined;
  readonly sendWith: PanelState['sendWith'];
}

/** A conversation before its first turn. */
export function EmptyState({ bot, sendWith }: Props) {
  return (
    <section class="welcome empty">
      <div class="welcome-icon">
        <Icon name="commentDiscussion" />
      </div>
      <h2>
        <bdi>{bot ? inert(bot.name) : strings.newConversation}</bdi>
      </h2>
      <p>{strings.emptyText}</p>
      <ul class="hints">
        <Hint icon="file" text={strings.hints.upload} />
        <Hint icon="selection" text={strings.hints.selection} />
        <Hint icon="newLine" text={strings.hints.keys[sendWith]} />
      </ul>
    </section>
  );
}

function Hint({ icon, text }: { readonly icon: IconName; readonly text: string }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{text}</span>
    </li>
  );
}
