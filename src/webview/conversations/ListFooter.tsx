import archiveIcon from '@vscode/codicons/src/icons/archive.svg';
import checklistIcon from '@vscode/codicons/src/icons/checklist.svg';
import closeIcon from '@vscode/codicons/src/icons/close.svg';
import cloudIcon from '@vscode/codicons/src/icons/cloud.svg';
import exportIcon from '@vscode/codicons/src/icons/export.svg';
import inboxIcon from '@vscode/codicons/src/icons/inbox.svg';
import robotIcon from '@vscode/codicons/src/icons/robot.svg';
import rootFolderIcon from '@vscode/codicons/src/icons/root-folder.svg';
import trashIcon from '@vscode/codicons/src/icons/trash.svg';
import unarchiveIcon from '@vscode/codicons/src/icons/unarchive.svg';
import { useMemo } from 'preact/hooks';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { ListFilter } from '../../shared/view/conversationGroups';
import type { ConversationSummary, ServiceSummary } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { formatCount, t } from '../base/l10n';
import { IconButton } from '../components/IconButton';

interface FilterBarProps {
  readonly conversations: readonly ConversationSummary[];
  /** Empty if there is only one. */
  readonly services: readonly ServiceSummary[];
  readonly filter: ListFilter;
  readonly onFilter: (filter: ListFilter) => void;
  readonly onSelect: () => void;
}

/** Filters the list by service, bot, workspace and status, and starts to select rows. */
export function FilterBar({ conversations, services, filter, onFilter, onSelect }: FilterBarProps) {
  const bots = useMemo(() => findOptions(conversations, ({ bot }) => bot), [conversations]);
  const workspaces = useMemo(() => findOptions(conversations, ({ workspace }) => workspace), [conversations]);
  const serviceOptions = useMemo(() => findServices(conversations, services), [conversations, services]);
  const { service = '', bot = '', workspace = '', status = '' } = filter;
  return (
    <div class="list-foot" role="group" aria-label={t('Filters')}>
      {serviceOptions.length > 1 && (
        <Select
          icon={cloudIcon}
          name={t('Service')}
          all={t('All Services')}
          options={serviceOptions}
          value={service}
          onChange={(value) => onFilter({ ...filter, service: value })}
        />
      )}
      <Select
        icon={robotIcon}
        name={t('Bot')}
        all={t('All Bots')}
        options={bots}
        value={bot}
        onChange={(value) => onFilter({ ...filter, bot: value })}
      />
      {workspaces.length > 0 && (
        <Select
          icon={rootFolderIcon}
          name={t('Workspace')}
          all={t('All Workspaces')}
          options={workspaces}
          value={workspace}
          onChange={(value) => onFilter({ ...filter, workspace: value })}
        />
      )}
      <Select
        icon={inboxIcon}
        name={t('Status')}
        all={t('Any Status')}
        options={STATUSES}
        value={status}
        onChange={(value) => onFilter({ ...filter, status: value })}
      />
      <IconButton
        class="list-select"
        icon={checklistIcon}
        name={t('Select Conversations')}
        onClick={onSelect}
      />
    </div>
  );
}

interface SelectionBarProps {
  readonly selected: readonly ConversationSummary[];
  readonly onExport: () => void;
  readonly onArchive: (archived: boolean) => void;
  readonly onDelete: () => void;
  readonly onEnd: () => void;
}

/** The actions for the selected conversations. */
export function SelectionBar({ selected, onExport, onArchive, onDelete, onEnd }: SelectionBarProps) {
  const none = selected.length === 0;
  const archived = !none && selected.every((conversation) => conversation.archived);
  return (
    <div class="list-foot" role="toolbar" aria-label={t('Selection')}>
      <span class="list-count" role="status">
        {t('{0} selected', formatCount(selected.length))}
      </span>
      <IconButton icon={exportIcon} name={t('Export…')} disabled={none} onClick={onExport} />
      <IconButton
        icon={archived ? unarchiveIcon : archiveIcon}
        name={archived ? t('Unarchive') : t('Archive')}
        disabled={none}
        onClick={() => onArchive(!archived)}
      />
      <IconButton icon={trashIcon} name={t('Delete')} disabled={none} onClick={onDelete} />
      <IconButton icon={closeIcon} name={t('Cancel Selection')} onClick={onEnd} />
    </div>
  );
}

interface Option<T extends string> {
  readonly id: T;
  readonly name: string;
}

const STATUSES: readonly Option<NonNullable<ListFilter['status']>>[] = [
  { id: 'unread', name: t('Unread') },
  { id: 'archived', name: t('Archived') },
];

interface SelectProps<T extends string> {
  /** Shown instead of the first option if the list is narrow. */
  readonly icon: string;
  readonly name: string;
  /** The first option, which filters nothing. */
  readonly all: string;
  readonly options: readonly Option<T>[];
  readonly value: string;
  readonly onChange: (value: T | undefined) => void;
}

function Select<T extends string>({ icon, name, all, options, value, onChange }: SelectProps<T>) {
  return (
    <span class={value === '' ? 'list-facet-box unset' : 'list-facet-box'}>
      <select
        class="list-facet"
        aria-label={name}
        title={name}
        value={value}
        onChange={({ currentTarget }) => onChange(options[currentTarget.selectedIndex - 1]?.id)}
      >
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.id} value={option.id} dir="auto">
            {escapeInvisible(option.name || option.id)}
          </option>
        ))}
      </select>
      <Icon file={icon} />
    </span>
  );
}

/** Returns the services that are set up, in their order, then those of conversations whose service was removed. */
function findServices(
  conversations: readonly ConversationSummary[],
  services: readonly ServiceSummary[],
): Option<string>[] {
  if (services.length === 0) return [];
  const options = new Map(services.map(({ baseUrl, name }) => [baseUrl, { id: baseUrl, name }]));
  for (const { bot } of conversations) {
    const { baseUrl } = bot;
    if (baseUrl !== undefined && !options.has(baseUrl))
      options.set(baseUrl, { id: baseUrl, name: toHost(baseUrl) });
  }
  return [...options.values()];
}

function toHost(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** Returns the different values of the conversations, by name. */
function findOptions(
  conversations: readonly ConversationSummary[],
  getOption: (conversation: ConversationSummary) => Option<string> | undefined,
): Option<string>[] {
  const options = new Map<string, Option<string>>();
  for (const conversation of conversations) {
    const option = getOption(conversation);
    if (option && option.id !== '' && !options.has(option.id)) options.set(option.id, option);
  }
  return [...options.values()].sort((a, b) => a.name.localeCompare(b.name));
}
