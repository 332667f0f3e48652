import { ServiceError } from '../../client/serviceError';
import type { Bot } from '../../shared/viewModel';
import { orAborted } from '../base/abort';
import type { Chat } from '../conversations/chat';
import type { Conversation } from '../model/conversation';
import { toFailure } from '../model/failure';
import type { SubjectState } from './capabilities';
import type { Service } from './service';

/** What the service must know first: it creates, renames and deletes, and the conversation here follows its answer. */
export class RemoteConversations {
  readonly #chat: Chat;
  readonly #connect: () => Service;
  readonly #closing = new AbortController();
  readonly #creating = new Map<string, Promise<string>>();

  constructor(chat: Chat, connect: () => Service) {
    this.#chat = chat;
    this.#connect = connect;
  }

  /** The conversation's id on the service, where it is created if need be; throws ServiceError. */
  async ensureCreated(id: string, service: Service, signal: AbortSignal): Promise<string> {
    const conversation = this.#chat.find(id);
    if (!conversation?.bot) throw new Error(`No conversation ${id} with a bot`);
    const { remote } = conversation;
    if (remote?.baseUrl === service.baseUrl && !remote.gone) return remote.id;
    let creating = this.#creating.get(id);
    if (!creating) {
      // A message and an upload may both be the first: they share one conversation, and neither's Stop breaks the other.
      creating = this.#create(conversation, conversation.bot, service).finally(() =>
        this.#creating.delete(id),
      );
      this.#creating.set(id, creating);
    }
    return orAborted(creating, signal);
  }

  /** Begins a conversation anew that the service no longer has: what is said from here on is said there. Throws ServiceError. */
  async startAnew(id: string): Promise<void> {
    if (this.#chat.find(id)?.remote?.gone) {
      await this.ensureCreated(id, this.#connect(), new AbortController().signal);
    }
  }

  /** Whether an error means that the service no longer has the conversation, which is then marked as gone. */
  async isGone(id: string, service: Service, error: unknown): Promise<boolean> {
    return (await this.checkConversation(id, service, error)) === 'gone';
  }

  /**
   * Whether the service still has the conversation that an error was about; one that is gone is marked so. Asks
   * `GET /conversations/{id}` where it may be: other operations answer so too where a service doesn't have them.
   */
  async checkConversation(id: string, service: Service, error: unknown): Promise<SubjectState> {
    const remote = this.#chat.find(id)?.remote;
    if (remote?.baseUrl !== service.baseUrl || !mayMeanGone(error)) return 'unknown';
    const answer = await service.client.getConversation(remote.id).catch((reason: unknown) => reason);
    if (!(answer instanceof ServiceError)) return 'there';
    // An answer without a conversation is one all the same.
    if (answer.status !== undefined && answer.status < 300) return 'there';
    if (!isUnknown(answer)) return 'unknown';
    this.#chat.change(id, { remote: { ...remote, gone: true } });
    return 'gone';
  }

  /**
   * Names a conversation after its first message, unless a person named it; the service, where it has it, hears of that in
   * its own time.
   */
  nameAfter(id: string, text: string): void {
    if (this.#chat.nameAfter(id, text)) this.#pushName(id);
  }

  /** Ends what goes on in the background. */
  dispose(): void {
    this.#closing.abort();
  }

  /** Renames on the service first, where it knows the conversation; throws ServiceError. */
  async rename(id: string, name: string): Promise<void> {
    await this.#update(id, { name });
  }

  /** Binds the conversation to another bot, on the service first; throws ServiceError. */
  async changeBot(id: string, bot: Bot): Promise<void> {
    await this.#update(id, { bot });
  }

  /** Deletes on the service, if that has it; throws ServiceError, except where it is gone there already. */
  async delete({ remote }: Conversation): Promise<void> {
    if (!remote || remote.gone) return;
    const service = this.#connect();
    if (remote.baseUrl !== service.baseUrl) return;
    try {
      await service.client.deleteConversation(remote.id);
    } catch (error) {
      if (toFailure(error, Date.now()).code !== 'notFound') throw error;
    }
  }

  async #create({ id, name }: Conversation, bot: Bot, service: Service): Promise<string> {
    const created = await service.client.createConversation({ name, botId: bot.id });
    this.#chat.change(id, { remote: { baseUrl: service.baseUrl, id: created.id } });
    if (this.#chat.find(id)?.name !== name) this.#pushName(id);
    return created.id;
  }

  #pushName(id: string): void {
    const { name, bot, remote } = this.#chat.find(id) ?? {};
    if (name === undefined || !bot || !remote || remote.gone) return;
    try {
      const { baseUrl, client } = this.#connect();
      if (remote.baseUrl !== baseUrl) return;
      const naming = client.updateConversation(remote.id, { name, botId: bot.id }, this.#closing.signal);
      naming.catch(ignoreServiceError);
    } catch (error) {
      ignoreServiceError(error);
    }
  }

  async #update(id: string, change: { name?: string; bot?: Bot }): Promise<void> {
    const conversation = this.#chat.find(id);
    if (!conversation) return;
    const { name, bot, remote } = { ...conversation, ...change };
    if (remote && !remote.gone && bot) {
      const service = this.#connect();
      if (remote.baseUrl === service.baseUrl) {
        try {
          await service.client.updateConversation(remote.id, { name, botId: bot.id });
        } catch (error) {
          // What only this machine has left needs nobody's leave.
          if (!(await this.isGone(id, service, error))) throw error;
        }
      }
    }
    this.#chat.change(id, change);
  }
}

/** The log has the request, and the conversation is named here all the same. */
function ignoreServiceError(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}

function isUnknown({ status }: ServiceError): boolean {
  return status === 404 || status === 410;
}

function mayMeanGone(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return isUnknown(error) || error.fieldErrors?.conversation_id !== undefined;
}
