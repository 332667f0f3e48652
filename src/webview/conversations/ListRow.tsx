import archiveIcon from '@vscode/codicons/src/icons/archive.svg';
import checkIcon from '@vscode/codicons/src/icons/check.svg';
import cloudIcon from '@vscode/codicons/src/icons/cloud.svg';
import editIcon from '@vscode/codicons/src/icons/edit.svg';
import pinIcon from '@vscode/codicons/src/icons/pin.svg';
import pinnedIcon from '@vscode/codicons/src/icons/pinned.svg';
import trashIcon from '@vscode/codicons/src/icons/trash.svg';
import unarchiveIcon from '@vscode/codicons/src/icons/unarchive.svg';
import type { ComponentChildren } from 'preact';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { ConversationSummary, SearchHit, ServiceConversation } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { memo } from '../base/memo';
import { IconButton } from '../components/IconButton';

export type ConversationAction = 'pin' | 'rename' | 'archive' | 'delete';

interface RowProps {
  readonly age: string;
  /** Whether keys apply to this row. */
  readonly active: boolean;
  readonly onChoose: (id: string) => void;
}

interface ConversationProps extends RowProps {
  readonly conversation: ConversationSummary;
  /** Whether it is the conversation that is shown. */
  readonly shown: boolean;
  /** Whether it is selected; absent while rows aren't being selected. */
  readonly selected: boolean | undefined;
  readonly onOpen: (conversation: ConversationSummary, event: MouseEvent) => void;
  readonly onAct: (action: ConversationAction, conversation: ConversationSummary) => void;
}

export const ConversationRow = memo<ConversationProps>(
  ({ conversation, age, shown, active, selected, onChoose, onOpen, onAct }) => {
    const { id, streaming, unread, pinned, archived } = conversation;
    return (
      <Row
        id={id}
        class={shown ? 'list-item shown' : 'list-item'}
        current={shown}
        active={active}
        selected={selected}
        onChoose={onChoose}
        onOpen={(event) => onOpen(conversation, event)}
      >
        <div class="list-main" role="gridcell">
          {selected !== undefined && <span class="list-check">{selected && <Icon file={checkIcon} />}</span>}
          <span class="list-mark">
            {streaming && <span class="spinner" role="img" aria-label={t('Replying')} />}
            {unread && !streaming && <span class="dot" role="img" aria-label={t('New reply')} />}
            {shown && !streaming && !unread && selected === undefined && <Icon file={checkIcon} />}
          </span>
          <Names conversation={conversation} />
        </div>
        <div class="list-end" role="gridcell">
          {active && selected === undefined ? (
            // biome-ignore lint/a11y/noStaticElementInteractions: only stops clicks from reaching the row.
            // biome-ignore lint/a11y/useKeyWithClickEvents: its buttons have keys of their own.
            <span class="list-actions" onClick={(event) => event.stopPropagation()}>
              <IconButton
                icon={pinned ? pinnedIcon : pinIcon}
                name={pinned ? t('Unpin') : t('Pin')}
                onClick={() => onAct('pin', conversation)}
              />
              <IconButton icon={editIcon} name={t('Rename…')} onClick={() => onAct('rename', conversation)} />
              <IconButton
                icon={archived ? unarchiveIcon : archiveIcon}
                name={archived ? t('Unarchive') : t('Archive')}
                onClick={() => onAct('archive', conversation)}
              />
              <IconButton icon={trashIcon} name={t('Delete')} onClick={() => onAct('delete', conversation)} />
            </span>
          ) : (
            <span class="list-age">{age}</span>
          )}
        </div>
      </Row>
    );
  },
  (before, after) =>
    before.conversation === after.conversation &&
    before.age === after.age &&
    before.shown === after.shown &&
    before.selected === after.selected &&
    // The handlers of an active row must be up to date: the mouse makes a row active before it is clicked.
    !before.active &&
    !after.active,
);

interface ServiceProps extends RowProps {
  readonly id: string;
  readonly conversation: ServiceConversation;
  readonly onOpen: (conversation: ServiceConversation) => void;
}

/** A conversation that only exists on the service. */
export function ServiceRow({ id, conversation, age, active, onChoose, onOpen }: ServiceProps) {
  return (
    <Row id={id} class="list-item" active={active} onChoose={onChoose} onOpen={() => onOpen(conversation)}>
      <div class="list-main" role="gridcell">
        <span class="list-mark">
          <Icon file={cloudIcon} />
        </span>
        <Names conversation={conversation} />
      </div>
      <div class="list-end" role="gridcell">
        <span class="list-age">{age}</span>
      </div>
    </Row>
  );
}

interface HitProps extends RowProps {
  readonly id: string;
  readonly hit: SearchHit;
  readonly onOpen: (hit: SearchHit) => void;
}

/** A search hit: its text on two lines, and its conversation. */
export function HitRow({ id, hit, age, active, onChoose, onOpen }: HitProps) {
  return (
    <Row id={id} class="list-item hit" active={active} onChoose={onChoose} onOpen={() => onOpen(hit)}>
      <div class="list-hit" role="gridcell">
        <p class="list-text" dir="auto">
          {escapeInvisible(hit.before)}
          <mark>{escapeInvisible(hit.match)}</mark>
          {escapeInvisible(hit.after)}
        </p>
        <div class="list-where">
          <bdi class="list-name">{escapeInvisible(hit.name) || t('New Conversation')}</bdi>
          <span class="list-age">{age}</span>
        </div>
      </div>
    </Row>
  );
}

interface ElementProps extends Omit<RowProps, 'age'> {
  readonly id: string;
  readonly class: string;
  /** For a conversation: whether it is the one that is shown. */
  readonly current?: boolean;
  readonly selected?: boolean | undefined;
  readonly onOpen: (event: MouseEvent) => void;
  readonly children: ComponentChildren;
}

function Row({ id, class: name, current, active, selected, onChoose, onOpen, children }: ElementProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above handles the keys.
    <div
      id={`row-${id}`}
      class={active ? `${name} active` : name}
      role="row"
      tabIndex={-1}
      aria-selected={selected ?? active}
      aria-current={current}
      onMouseMove={() => active || onChoose(id)}
      onClick={onOpen}
    >
      {children}
    </div>
  );
}

function Names({
  conversation: { name, bot },
}: {
  readonly conversation: Pick<ConversationSummary, 'name' | 'bot'>;
}) {
  return (
    <>
      <bdi class="list-name">{escapeInvisible(name) || t('New Conversation')}</bdi>
      <bdi class="list-bot">{escapeInvisible(bot.name)}</bdi>
    </>
  );
}
