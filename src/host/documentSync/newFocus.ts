import type { DocumentSync } from '../../chat/documentSync/documentSync';
import { readDocumentIds } from '../../chat/documents/focusSync';
import { type Conversation, getServiceName } from '../../chat/model/conversation';
import type { Service } from '../../chat/remote/service';
import { ServiceError } from '../../client/serviceError';
import type { WorkspaceProposal } from '../parleyJson/workspaceProposal';
import type { ServiceList } from '../service/serviceList';
import { createMatcher } from './scanDocuments';
import { findSetsOf, getJournalId, type SyncGroups } from './syncGroups';

/** The most documents of a focus (docs/service.md: Focus). With more, the bot answers from its folders as usual. */
const MAX_FOCUS = 1000;

interface Parts {
  readonly sync: DocumentSync;
  readonly groups: SyncGroups;
  readonly serviceList: Pick<ServiceList, 'first'>;
  readonly workspaceProposal: Pick<WorkspaceProposal, 'readFiles'>;
}

/** Focuses a new conversation on the workspace's documents for its bot, where the service has a focus. */
export class NewFocus {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Focuses a conversation that was just created on the service. A failure is in the request log: nothing else depends on it. */
  async focus(conversation: Conversation, service: Service, remoteId: string): Promise<void> {
    if (!conversation.bot) return;
    const ids = await this.#findDocumentIds(conversation, service.baseUrl);
    if (ids.length === 0 || ids.length > MAX_FOCUS) return;
    try {
      const before = await readDocumentIds(service, remoteId);
      if (!before) return;
      await service.client.updateConversation(remoteId, {
        name: getServiceName(conversation),
        botId: conversation.bot.id,
        documentIds: [...new Set([...before, ...ids])],
      });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  async #findDocumentIds(conversation: Conversation, baseUrl: string): Promise<readonly string[]> {
    const { sync, groups, serviceList, workspaceProposal } = this.#parts;
    const ids: string[] = [];
    for (const group of groups.list(await workspaceProposal.readFiles())) {
      const sets = findSetsOf(group, conversation, serviceList.first?.baseUrl);
      const home = groups.getHome(group);
      if (sets.length === 0 || home?.kind !== 'workspace' || group.baseUrl !== baseUrl) continue;
      const state = await sync.read(await getJournalId(group, home, conversation.id));
      const matches = createMatcher(group.folder, sets);
      ids.push(...state.current.flatMap(({ id, path }) => (id !== undefined && matches(path) ? [id] : [])));
    }
    return ids;
  }
}
