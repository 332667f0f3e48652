import { ServiceError } from '../../client/serviceError';
import type { Bot } from '../../shared/view/viewModel';
import { raceWithAbort } from '../base/abort';
import type { Chat } from '../conversations/chat';
import { type Conversation, canGetBot, getServiceName, type RemotePlace } from '../model/conversation';
import { toFailure } from '../model/failure';
import type { SubjectState } from './capabilities';
import type { Connect, Service } from './service';

type OnCreated = (id: string, service: Service, remoteId: string) => Promise<void>;

/** Creates, renames and deletes conversations: first on the service, then here once it has answered. */
export class RemoteConversations {
  readonly #chat: Chat;
  readonly #connect: Connect;
  readonly #closing = new AbortController();
  readonly #creating = new Map<string, Promise<string>>();
  #onCreated: OnCreated | undefined;

  constructor(chat: Chat, connect: Connect) {
    this.#chat = chat;
    this.#connect = connect;
  }

  /** Sets what happens to each conversation that was created on its service, before anything is sent to it. */
  setOnCreated(onCreated: OnCreated): void {
    this.#onCreated = onCreated;
  }

  /** Returns the service that has a conversation, or undefined if it was removed from the settings. */
  findService({ baseUrl }: RemotePlace): Service | undefined {
    try {
      return this.#connect(baseUrl);
    } catch (error) {
      ignoreServiceError(error);
      return undefined;
    }
  }

  /** Returns the conversation's ID on the service, creating it there if needed. Throws ServiceError. */
  async ensureCreated(id: string, service: Service, signal: AbortSignal): Promise<string> {
    const conversation = this.#chat.findConversation(id);
    if (!conversation?.bot) throw new Error(`No conversation ${id} with a bot`);
    const remoteId = this.#findId(id, service);
    if (remoteId !== undefined) return remoteId;
    let creating = this.#creating.get(id);
    if (!creating) {
      // If the first message and the first upload are sent at the same time, they share one conversation, and
      // stopping one doesn't affect the other.
      creating = this.#chat
        .runExclusively(
          id,
          async (readChanges) =>
            this.#findId(id, service) ??
            (await this.#findAgain(id, service, readChanges, this.#closing.signal)) ??
            (await this.#create(id, service, readChanges)),
          this.#closing.signal,
        )
        .finally(() => this.#creating.delete(id));
      this.#creating.set(id, creating);
    }
    return raceWithAbort(creating, signal);
  }

  /**
   * Asks the service again whether it has a conversation that is marked as gone, because the 404 may have come from an outage, or
   * because of another account's key. If so, removes the mark. Throws ServiceError.
   */
  async checkGone(id: string, signal: AbortSignal): Promise<void> {
    const { remote } = this.#chat.findConversation(id) ?? {};
    if (!remote?.gone) return;
    const service = this.#connect(remote.baseUrl);
    await this.#chat.runExclusively(
      id,
      (readChanges) => this.#findAgain(id, service, readChanges, signal),
      signal,
    );
  }

  /**
   * Creates a conversation that the service no longer has again, for the messages from now on. Throws
   * ServiceError.
   */
  async recreate(id: string): Promise<void> {
    const { remote } = this.#chat.findConversation(id) ?? {};
    if (remote?.gone) {
      await this.ensureCreated(id, this.#connect(remote.baseUrl), new AbortController().signal);
    }
  }

  /**
   * Returns whether an error means that the service no longer has the conversation; if so, marks it as gone.
   */
  async isGone(id: string, service: Service, error: unknown, signal?: AbortSignal): Promise<boolean> {
    return (await this.checkConversation(id, service, error, signal)) === 'gone';
  }

  /**
   * Returns whether the service still has the conversation that an error was about; if not, marks it as gone.
   * Asks `GET /conversations/{id}` if in doubt, because a missing operation causes the same status; it isn't known if the
   * signal aborts, or the window closes by default.
   */
  async checkConversation(
    id: string,
    service: Service,
    error: unknown,
    signal = this.#closing.signal,
  ): Promise<SubjectState> {
    const remote = this.#chat.findConversation(id)?.remote;
    if (remote?.baseUrl !== service.baseUrl || !mayMeanGone(error)) return 'unknown';
    const answer = await findError(service, remote.id, signal);
    if (!answer) return 'there';
    if (!isNotFound(answer)) return 'unknown';
    // Another window may have created it again.
    await this.#chat.readChanges(id).catch(this.#chat.reportError);
    const now = this.#chat.findConversation(id)?.remote;
    // It was created again in the meantime, so the error wasn't about where it is now.
    if (now?.baseUrl !== remote.baseUrl || now.id !== remote.id) return 'unknown';
    this.#chat.update(id, { remote: { ...remote, gone: true } });
    return 'gone';
  }

  /**
   * Names a conversation after its first message, unless the user has named it. Renames it on the service in
   * the background.
   */
  nameAfter(id: string, text: string): void {
    if (this.#chat.nameAfter(id, text)) this.#pushName(id);
  }

  /** Aborts background requests. */
  dispose(): void {
    this.#closing.abort();
  }

  /** Renames the conversation, first on the service if it is there. Throws ServiceError. */
  async rename(id: string, name: string): Promise<void> {
    await this.#update(id, { name });
    this.#chat.notePersonalChange(id, { name });
  }

  /**
   * Changes the conversation's bot, first on the service if it is there. A conversation stays on its service. Throws
   * ServiceError.
   */
  async changeBot(id: string, bot: Bot): Promise<void> {
    if (!canGetBot(this.#chat.findConversation(id) ?? {}, bot))
      throw new Error('A conversation can’t get a bot of another service.');
    await this.#update(id, { bot });
  }

  /**
   * Deletes the conversation on its service, if that is set up and has it. Throws ServiceError, except if it is already gone.
   */
  async delete({ remote }: Pick<Conversation, 'remote'>): Promise<void> {
    if (!remote) return;
    try {
      await this.findService(remote)?.client.deleteConversation(remote.id);
    } catch (error) {
      const { code } = toFailure(error, Date.now());
      // One that is marked as gone may be another account's.
      const isForeign = remote.gone === true && (code === 'unauthorized' || code === 'forbidden');
      if (code !== 'notFound' && !isForeign) throw error;
    }
  }

  /** Completes deletions that a window left unfinished when it was killed. Throws file system errors. */
  completeDeletions(): Promise<void> {
    return this.#chat.completeDeletions(async (conversation) => {
      const { remote } = conversation;
      // The user may add the service that has it again.
      if (remote && !remote.gone && !this.findService(remote))
        throw new Error('A deleted conversation is on a service that was removed.');
      // The user may have opened it again since, as another one here.
      const current = remote && this.#chat.getIdsByRemoteId(remote.baseUrl).get(remote.id);
      if (current === undefined || current === conversation.id) await this.delete(conversation);
    });
  }

  /** Returns the conversation's ID on the service if it is there. */
  #findId(id: string, { baseUrl }: Service): string | undefined {
    const remote = this.#chat.findConversation(id)?.remote;
    return remote?.baseUrl === baseUrl && !remote.gone ? remote.id : undefined;
  }

  /** Returns the conversation's ID on the service if it is marked as gone but is there, and removes the mark. */
  async #findAgain(
    id: string,
    service: Service,
    readChanges: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { remote } = this.#chat.findConversation(id) ?? {};
    if (!remote?.gone || remote.baseUrl !== service.baseUrl) return undefined;
    const error = await findError(service, remote.id, signal);
    signal.throwIfAborted();
    if (error && isOutage(error)) throw error;
    if (error) return undefined;
    // If this window slept for so long that its lease was stale, another one may have created it again.
    await readChanges();
    const now = this.#chat.findConversation(id)?.remote;
    if (now?.gone && now.id === remote.id)
      this.#chat.update(id, { remote: { baseUrl: remote.baseUrl, id: remote.id } });
    return this.#findId(id, service);
  }

  async #create(id: string, service: Service, readChanges: () => Promise<void>): Promise<string> {
    const conversation = this.#chat.findConversation(id);
    if (!conversation?.bot) throw createDeletedError();
    const { name, bot } = conversation;
    const created = await service.client.createConversation({
      name: getServiceName(conversation),
      botId: bot.id,
    });
    // If this window slept for so long that its lease was stale, another one may have created it.
    await readChanges();
    const createdByOther = this.#findId(id, service);
    if (createdByOther !== undefined) {
      await service.client.deleteConversation(created.id).catch(ignoreServiceError);
      return createdByOther;
    }
    if (!this.#chat.findConversation(id)) {
      // Deleted in the meantime: nothing here knows the service's ID, so nothing else would delete it there.
      await service.client.deleteConversation(created.id).catch(ignoreServiceError);
      throw createDeletedError();
    }
    this.#chat.update(id, { remote: { baseUrl: service.baseUrl, id: created.id } });
    // The documents stayed with the former conversation, if there was one.
    this.#chat.documents.setFocus(id, undefined, []);
    this.#chat.documents.setListed(id, undefined);
    if (this.#chat.findConversation(id)?.name !== name) this.#pushName(id);
    await this.#onCreated?.(id, service, created.id);
    return created.id;
  }

  #pushName(id: string): void {
    const conversation = this.#chat.findConversation(id);
    const { bot, remote } = conversation ?? {};
    if (!conversation || !bot || !remote || remote.gone) return;
    const name = getServiceName(conversation);
    this.findService(remote)
      ?.client.updateConversation(remote.id, { name, botId: bot.id }, this.#closing.signal)
      .catch(ignoreServiceError);
  }

  async #update(id: string, change: { name?: string; bot?: Bot }): Promise<void> {
    const conversation = this.#chat.findConversation(id);
    if (!conversation) return;
    const changed = { ...conversation, ...change };
    const { bot, remote } = changed;
    const service = remote && !remote.gone ? this.findService(remote) : undefined;
    if (remote && service && bot) {
      try {
        const name = getServiceName(changed);
        await service.client.updateConversation(remote.id, { name, botId: bot.id });
      } catch (error) {
        // If only this machine still has the conversation, change it here.
        if (!(await this.isGone(id, service, error))) throw error;
      }
    }
    this.#chat.update(id, change);
  }
}

/** Asks a service for a conversation; returns its error, or undefined if it has the conversation. */
async function findError(
  { client }: Service,
  remoteId: string,
  signal: AbortSignal,
): Promise<ServiceError | undefined> {
  const answer = await client.getConversation(remoteId, signal).catch((reason: unknown) => reason);
  if (!(answer instanceof ServiceError)) return undefined;
  // An invalid successful answer still means that it exists.
  return answer.status !== undefined && answer.status < 300 ? undefined : answer;
}

function createDeletedError(): ServiceError {
  const details = { operation: 'POST /conversations', message: 'the conversation was deleted' };
  return new ServiceError('aborted', { ...details, maySend: true });
}

/** The request is in the log, and the conversation has its name here in any case. */
function ignoreServiceError(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}

function isNotFound({ status }: ServiceError): boolean {
  return status === 404 || status === 410;
}

/** Returns whether an error says nothing about what was asked for; 501: the service can't be asked at all. */
function isOutage({ status }: ServiceError): boolean {
  return status === undefined || status === 429 || (status >= 500 && status !== 501);
}

function mayMeanGone(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return isNotFound(error) || error.fieldErrors?.conversation_id !== undefined;
}
