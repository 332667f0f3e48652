import type { Turn } from '../../shared/view/viewModel';
import { t } from '../base/l10n';
import { memo } from '../base/memo';
import { TurnForks } from '../forks/forkLinks';
import { MessageText } from './MessageText';
import { Reply } from './Reply';
import { CopyTurn, EditAndAsk, Fork, SavePrompt, TurnTime } from './TurnActions';
import { TurnArticle } from './TurnArticle';

interface Props {
  readonly conversationId: string;
  readonly turn: Turn;
}

export const TurnView = memo<Props>(({ conversationId, turn }) => {
  switch (turn.kind) {
    case 'message':
      return (
        <TurnArticle
          class="message"
          turnId={turn.id}
          name={turn.agent === undefined ? t('You') : t('{0} (agent)', turn.agent)}
        >
          {turn.agent !== undefined && (
            <p class="turn-agent" dir="auto">
              {t('{0} (agent)', turn.agent)}
            </p>
          )}
          <MessageText text={turn.text} />
          <div class="turn-actions">
            <TurnTime at={turn.at} />
            <CopyTurn name={t('Copy Message')} text={() => turn.text} />
            <EditAndAsk turnId={turn.id} text={turn.text} />
            <Fork conversationId={conversationId} turnId={turn.id} />
            <SavePrompt conversationId={conversationId} turnId={turn.id} />
          </div>
          <TurnForks turnId={turn.id} />
        </TurnArticle>
      );
    case 'reply':
      return <Reply conversationId={conversationId} reply={turn} />;
    case 'document':
      // Documents are shown above the composer.
      return null;
  }
});
