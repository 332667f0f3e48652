import type { Bot, PanelState } from '../../shared/conversation';
import { inert } from '../format';
import { Icon } from '../icons';
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
        <li>{strings.hints.upload}</li>
        <li>{strings.hints.selection}</li>
        <li>{strings.hints.newLine[sendWith]}</li>
      </ul>
    </section>
  );
}
