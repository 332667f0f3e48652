import * as vscode from 'vscode';
import { baseName } from '../../chat/documents/uploadName';
import { pickOne, showInformation, withProgress } from '../base/dialogs';
import { formatBytes, plural } from '../base/localizedText';
import {
  findBranchBase,
  findRepositories,
  type GitRepository,
  listOtherBranches,
  readBranchDiff,
} from '../context/gitDiff';

const { t } = vscode.l10n;

/** In UTF-16 code units: a longer diff is refused, because no bot can review it as a whole. */
const MAX_DIFF_LENGTH = 5_000_000;

/** A change that the user chose to review. */
export interface Change {
  readonly root: vscode.Uri;
  /** What it is, such as `Staged Changes`. */
  readonly label: string;
  readonly diff: string;
}

interface ChangeItem extends vscode.QuickPickItem {
  /** Resolves to undefined if the user canceled. */
  readonly read: () => Promise<string | undefined>;
}

/**
 * Asks which change of which repository to review, and reads its diff. `source`: the repository in Source Control, if the
 * command was chosen there. Says why there is none.
 */
export async function pickChange(source: unknown): Promise<Change | undefined> {
  const repositories = await findRepositories();
  if (!repositories) {
    void showInformation(
      t(
        'Reviewing changes needs VS Code’s Git extension, which isn’t available or is turned off in this window.',
      ),
    );
    return undefined;
  }
  const repository = await pickRepository(repositories, source);
  if (!repository) return undefined;
  const items = await createItems(repository);
  if (items.length === 0) {
    void showInformation(
      t('There are no staged changes and no other branch to compare with. Stage the changes to review.'),
    );
    return undefined;
  }
  const item = await pickOne(items, {
    title: getTitle(),
    placeHolder: t('Select the changes to review'),
    ignoreFocusOut: true,
  });
  const diff = await item?.read();
  if (!item || diff === undefined) return undefined;
  if (diff.trim() === '') {
    void showInformation(t('There are no changes to review.'));
    return undefined;
  }
  if (diff.length <= MAX_DIFF_LENGTH) return { root: repository.rootUri, label: item.label, diff };
  void showInformation(
    t(
      'The changes are too large to review: {0}. The limit is {1}.',
      ...[diff.length, MAX_DIFF_LENGTH].map(formatBytes),
    ),
  );
  return undefined;
}

export function getTitle(): string {
  return t('Review Changes Against Documents');
}

async function pickRepository(
  repositories: readonly GitRepository[],
  source: unknown,
): Promise<GitRepository | undefined> {
  const { rootUri } = (source ?? {}) as Partial<vscode.SourceControl>;
  const chosen = rootUri && repositories.find((each) => each.rootUri.toString() === rootUri.toString());
  if (chosen) return chosen;
  const [only] = repositories;
  if (!only) void showInformation(t('There is no Git repository in this window.'));
  if (repositories.length <= 1) return only;
  const items = repositories.map((repository) => ({
    label: baseName(repository.rootUri.path),
    description: vscode.workspace.asRelativePath(repository.rootUri),
    repository,
  }));
  return (
    await pickOne(items, { title: getTitle(), placeHolder: t('Select a repository'), ignoreFocusOut: true })
  )?.repository;
}

async function createItems(repository: GitRepository): Promise<readonly ChangeItem[]> {
  await repository.status();
  const { HEAD, indexChanges } = repository.state;
  const items: ChangeItem[] = [];
  if (indexChanges.length > 0) {
    items.push({
      label: t('Staged Changes'),
      description: plural(indexChanges.length, '{0} file', '{0} files'),
      read: () => repository.diff(true),
    });
  }
  if (HEAD?.name === undefined) return items;
  const base = await findBranchBase(repository);
  const others = base === undefined ? await listOtherBranches(repository) : [];
  if (base === undefined && others.length === 0) return items;
  const description =
    base === undefined ? t('compared with a branch that you choose') : t('since “{0}”', base);
  items.push({
    label: t('Changes on “{0}”', HEAD.name),
    description,
    read: async () => {
      const from = base ?? (await pickBase(others));
      if (from === undefined) return undefined;
      const progress = { location: vscode.ProgressLocation.Notification, title: t('Reading the changes') };
      return withProgress(progress, () => readBranchDiff(repository, from));
    },
  });
  return items;
}

async function pickBase(branches: readonly string[]): Promise<string | undefined> {
  const items = branches.map((label) => ({ label }));
  return (
    await pickOne(items, {
      title: getTitle(),
      placeHolder: t('Select the branch to compare with'),
      ignoreFocusOut: true,
    })
  )?.label;
}
