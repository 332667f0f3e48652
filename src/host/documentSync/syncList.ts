import * as vscode from 'vscode';
import type { PlannedFile, SyncChange } from '../../chat/documentSync/syncPlan';
import { formatBytes, formatCount, plural } from '../base/localizedText';
import { type LeftOut, MAX_DOCUMENTS, MAX_VISITED } from './scanDocuments';
import type { TargetPlan } from './syncPlanner';

const { t } = vscode.l10n;

/** Of more files than these, the list has the folders with their numbers. */
const MAX_LISTED = 500;

/** Items of the list that are agreed to together. */
export interface SyncListItem extends vscode.QuickPickItem {
  readonly files: readonly { readonly target: TargetPlan; readonly file: PlannedFile }[];
}

const CHANGES: readonly SyncChange[] = ['added', 'changed', 'unconfirmed', 'found', 'failed', 'gone'];

const changeTitles: Readonly<Record<SyncChange, () => string>> = {
  added: () => t('New'),
  changed: () => t('Changed'),
  unconfirmed: () => t('Not Confirmed'),
  found: () => t('On the Service'),
  failed: () => t('Conversion failed'),
  gone: () => t('Gone'),
};

/** Returns the list: what is new, changed and gone, or the folders with their numbers if there are too many files. */
export function toListItems(plans: readonly TargetPlan[]): SyncListItem[] {
  const all = plans.flatMap((target) => target.plan.files.map((file) => ({ target, file })));
  const byFolder = all.length > MAX_LISTED;
  return CHANGES.flatMap((change): SyncListItem[] => {
    const files = all.filter(({ file }) => file.change === change);
    if (files.length === 0) return [];
    const separator = {
      ...{ label: changeTitles[change](), kind: vscode.QuickPickItemKind.Separator, files: [] },
    };
    return [separator, ...(byFolder ? toFolderItems(files) : files.map((each) => toFileItem(each)))];
  });
}

function toFileItem(each: SyncListItem['files'][number]): SyncListItem {
  const { path, size, change } = each.file;
  return {
    label: path,
    description: [changeTitles[change](), formatBytes(size), formatHome(each.target)]
      .filter((part) => part !== '')
      .join(' · '),
    ...(change === 'gone' && {
      detail: t('Its document is removed from the service, if the service can do that.'),
    }),
    ...(change === 'unconfirmed' && {
      detail: t(
        'An earlier upload wasn’t confirmed, and the service may have it. Select it to upload it again.',
      ),
    }),
    ...(change === 'found' && {
      detail: t(
        'The service has a document of this name that wasn’t uploaded from here. Select it to upload the file and remove that document, if the service can do that.',
      ),
    }),
    picked: isSure(change),
    files: [each],
  };
}

/** Returns whether the user needn't decide: the change is known, and its conversion hasn't failed. */
function isSure(change: SyncChange): boolean {
  return change !== 'unconfirmed' && change !== 'found' && change !== 'failed';
}

function toFolderItems(files: SyncListItem['files']): SyncListItem[] {
  const folders = new Map<string, SyncListItem['files'][number][]>();
  for (const each of files) {
    const [top = '', ...rest] = each.file.path.split('/');
    const key = rest.length === 0 ? './' : `${top}/`;
    const inside = folders.get(key);
    if (inside) inside.push(each);
    else folders.set(key, [each]);
  }
  return [...folders].map(([label, inside]) => ({
    label,
    description: [
      plural(inside.length, '{0} file', '{0} files'),
      formatBytes(inside.reduce((sum, { file }) => sum + file.size, 0)),
    ].join(' · '),
    picked: inside.every(({ file }) => isSure(file.change)),
    files: inside,
  }));
}

function formatHome({ group }: TargetPlan): string {
  return group.folderName === undefined ? '' : t('folder {0}', group.folderName);
}

export function formatTitle(plans: readonly TargetPlan[]): string {
  const files = plans.flatMap(({ plan }) => plan.files);
  const uploads = files.filter(({ change }) => !['gone', 'found', 'failed'].includes(change));
  const gone = files.filter(({ change }) => change === 'gone');
  const size = formatBytes(uploads.reduce((sum, file) => sum + file.size, 0));
  const hosts = [...new Set(plans.map(({ group }) => new URL(group.baseUrl).host))].join(', ');
  return t(
    'Sync Documents with {0}: {1} to upload ({2}), {3} gone',
    hosts,
    formatCount(uploads.length),
    size,
    formatCount(gone.length),
  );
}

/** Returns what the list says about documents that weren't uploaded from here. */
export function formatFound(plans: readonly TargetPlan[]): string | undefined {
  const found = plans.flatMap(({ plan }) => plan.files.filter(({ change }) => change === 'found'));
  if (found.length === 0) return undefined;
  return plural(
    found.length,
    '{0} document of these names is already on the service.',
    '{0} documents of these names are already on the service.',
  );
}

export function formatLeftOut(plans: readonly TargetPlan[]): string | undefined {
  const count = (reason: keyof LeftOut) => plans.reduce((sum, { leftOut }) => sum + leftOut[reason], 0);
  const parts = [
    count('ignored') > 0 ? t('ignored by Git: {0}', formatCount(count('ignored'))) : '',
    count('secrets') > 0 ? t('secrets: {0}', formatCount(count('secrets'))) : '',
    count('links') > 0 ? t('links: {0}', formatCount(count('links'))) : '',
    count('sizes') > 0 ? t('empty or too large: {0}', formatCount(count('sizes'))) : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : t('Left out: {0}.', parts.join(', '));
}

export function formatTooMany(tooMany: NonNullable<TargetPlan['tooMany']>): string {
  return tooMany === 'documents'
    ? t(
        'The documents in parley.json match more than {0} files. Use globs that match fewer.',
        formatCount(MAX_DOCUMENTS),
      )
    : t(
        'Parley looked at {0} files and folders without finding all documents. Begin the globs in parley.json with a folder, as in docs/**.',
        formatCount(MAX_VISITED),
      );
}
