import type { Turn } from '../../shared/conversation';
import { memo } from '../memo';
import { strings } from '../strings';
import { DocumentView } from './Document';
import { Reply } from './Reply';

interface Props {
  readonly conversationId: string;
  readonly turn: Turn;
}

export const TurnView = memo<Props>(({ conversationId, turn }) => {
  switch (turn.kind) {
    case 'message':
      return (
        <article class="turn message" aria-label={strings.you}>
          <div class="bubble" dir="auto">
            {turn.text}
          </div>
        </article>
      );
    case 'reply':
      return <Reply conversationId={conversationId} reply={turn} />;
    case 'document':
      return <DocumentView conversationId={conversationId} document={turn} />;
  }
});
