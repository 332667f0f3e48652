import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import { setInitialFocus } from '../../chat/documents/initialFocus';
import { findDocument, mayBeSameBot } from '../../chat/model/conversation';
import { toFailure } from '../../chat/model/failure';
import type { Connect } from '../../chat/remote/service';
import type { MessageSender } from '../../chat/replies/messageSender';
import { type ChangeDiff, readChangeDiff } from '../../chat/reviews/changeDiff';
import { toQuestionName } from '../../chat/reviews/reviewQuestion';
import { toFencedBlock } from '../../chat/text/fences';
import { toFileName } from '../../chat/text/fileName';
import { ServiceError } from '../../client/serviceError';
import { countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import type { Bot } from '../../shared/view/viewModel';
import { confirm, pickSome, showError, showInformation, showWarning, splitForDialog } from '../base/dialogs';
import { formatBytes, formatCount, getErrorMessage, joinSentences, plural } from '../base/localizedText';
import type { ConversationActions } from '../conversations/conversationActions';
import { collectCandidates } from '../documents/uploadActions';
import { uploadWithProgress } from '../documents/uploadProgress';
import type { Candidate } from '../files/candidate';
import { type ConfirmedCandidate, confirmUpload } from '../files/contentGate';
import { createMarkdownCandidate } from '../files/markdownCandidate';
import type { Panel } from '../panel/panel';
import { isInWorkspace } from '../platform/workspacePlace';
import { showQueueNotSaved } from '../queue/queueNotSaved';
import { pickBot } from '../service/botPicker';
import type { Bots } from '../service/bots';
import { formatFailure } from '../service/failureText';
import type { SetupGuide } from '../service/setupGuide';
import { type Change, getTitle, pickChange } from './changeSource';
import { listPolicyDocuments, type PolicyDocument, type PolicyItem } from './policyDocuments';
import type { ReviewReplies } from './reviewReplies';

const { t } = vscode.l10n;

/** What was chosen last, so that the next review starts with it. */
const CHOSEN_KEY = 'parley.reviewDocuments';
/** More documents than this don't help a bot, and their names hardly fit into a message. */
const MAX_DOCUMENTS = 20;
/** Changed files that the confirmation names. */
const MAX_NAMED_FILES = 20;
const MANAGE_TRUST = 'workbench.trust.manage';

interface ReviewServices extends Pick<ChatServices, 'chat' | 'remote' | 'uploads'> {
  readonly connect: Connect;
  readonly messageSender: MessageSender;
  readonly conversations: ConversationActions;
  readonly bots: Bots;
  readonly setup: SetupGuide;
  readonly panel: Pick<Panel, 'getCurrentConversationId' | 'showConversation'>;
  readonly memory: vscode.Memento;
  readonly reviewReplies: ReviewReplies;
}

/** The documents that were chosen, and the conversation whose documents were listed. */
interface Choice {
  readonly policies: readonly PolicyDocument[];
  readonly listedFrom: string;
}

/** What is sent once the user has confirmed it. */
interface ReviewPlan {
  readonly change: Change;
  readonly diff: ChangeDiff;
  readonly bot: Bot;
  /** The conversation that alone has some of the documents; without it, a new one. */
  readonly conversationId: string | undefined;
  readonly documentIds: readonly string[];
  /** The names of documents that the service or the conversation already has. */
  readonly known: readonly string[];
  /** The diff, and the documents from the workspace. */
  readonly files: readonly ConfirmedCandidate[];
  /** The names of all documents, without the diff. */
  readonly documents: string[];
  readonly question: string;
}

/** Has a bot review a change against documents. Nothing is sent before the list of what is sent was confirmed. */
export class ReviewActions {
  readonly #services: ReviewServices;

  constructor(services: ReviewServices) {
    this.#services = services;
  }

  /** `source`: the repository in Source Control, if the command was chosen there. */
  async reviewChanges(source?: unknown): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      const manage = t('Manage Workspace Trust');
      const text = t('In Restricted Mode, Parley reads no changes. Trust the workspace to review them.');
      if ((await showInformation(text, manage)) === manage)
        await vscode.commands.executeCommand(MANAGE_TRUST);
      return;
    }
    const { setup } = this.#services;
    await setup.checkSetup();
    if (!setup.hasReadyService) {
      void showInformation(t('Finish setting up Parley in its panel, then review the changes again.'));
      return;
    }
    try {
      const change = await pickChange(source);
      const bot = change && (await this.#pickBot());
      const chosen = bot && (await this.#pickDocuments(bot));
      if (change && bot && chosen) await this.#reviewAgainst(change, bot, chosen);
    } catch (error) {
      const reason =
        error instanceof ServiceError ? formatFailure(toFailure(error, Date.now())) : getErrorMessage(error);
      void showError(joinSentences(t('Couldn’t review the changes.'), reason));
    }
  }

  async #pickBot(): Promise<Bot | undefined> {
    const { bots, conversations, setup } = this.#services;
    const recent = await conversations.getRecentBots();
    const placeholder = t('Select the bot that reviews the changes');
    const choice = await pickBot(bots, { title: getTitle(), placeholder, recent });
    if (!choice) return undefined;
    const service = bots.serviceList.find(choice.bot.baseUrl);
    if (service && !setup.hasKey(service) && !(await setup.askApiKey(service.baseUrl))) return undefined;
    return service ? { ...choice.bot, baseUrl: service.baseUrl } : choice.bot;
  }

  async #pickDocuments(bot: Bot): Promise<Choice | undefined> {
    const { chat, connect, panel, memory } = this.#services;
    const listedFrom = await panel.getCurrentConversationId();
    const conversation = chat.findConversation(listedFrom);
    const items = await listPolicyDocuments(bot, connect(bot.baseUrl), conversation);
    if (items.length === 0) {
      void showInformation(
        t('There are no documents on the service or in this workspace to review against.'),
      );
      return undefined;
    }
    const last = memory.get<unknown>(CHOSEN_KEY);
    const isLast = ({ key }: PolicyItem) => Array.isArray(last) && last.includes(key);
    const shown = items.map((item) => ({ ...item, picked: isLast(item) }));
    const picked = await pickSome(
      shown.toSorted((a, b) => Number(b.picked) - Number(a.picked)),
      {
        title: getTitle(),
        placeHolder: t('Select the documents that the changes must comply with'),
        matchOnDescription: true,
        ignoreFocusOut: true,
      },
    );
    if (!picked) return undefined;
    if (picked.length === 0 || picked.length > MAX_DOCUMENTS) {
      void showInformation(t('Select between 1 and {0} documents.', formatCount(MAX_DOCUMENTS)));
      return undefined;
    }
    await memory.update(
      CHOSEN_KEY,
      picked.map(({ key }) => key),
    );
    return { policies: picked.map(({ policy }) => policy), listedFrom };
  }

  async #reviewAgainst(change: Change, bot: Bot, chosen: Choice): Promise<void> {
    const diff = readChangeDiff(change.diff);
    const uris = chosen.policies.flatMap((policy) => (policy.from === 'workspace' ? [policy.uri] : []));
    const candidates = [
      await createDiffCandidate(change, diff),
      ...(await collectCandidates(uris)).candidates,
    ];
    let agreed: readonly ConfirmedCandidate[] = [];
    let plan: ReviewPlan | undefined;
    try {
      // Asks about secrets, ignored files and the like; the whole list is confirmed below.
      agreed = await confirmUpload({ candidates });
      if (!agreed.some((each) => each === candidates[0])) return;
      const proposed = await this.#createPlan(change, diff, bot, chosen, agreed);
      if (proposed && (await confirmReview(proposed)) && this.#checkConversation(proposed)) plan = proposed;
    } finally {
      const closed = candidates.filter((candidate) => !plan?.files.some((each) => each === candidate));
      await Promise.all(closed.map(({ file }) => file.opened.close()));
    }
    if (plan) await this.#send(plan);
  }

  async #createPlan(
    change: Change,
    diff: ChangeDiff,
    bot: Bot,
    { policies, listedFrom }: Choice,
    files: readonly ConfirmedCandidate[],
  ): Promise<ReviewPlan | undefined> {
    const onService = policies.flatMap((policy) => (policy.from === 'service' ? [policy] : []));
    const isOnlyThere = policies.some(({ from }) => from === 'conversation');
    const known = policies.flatMap(({ from, name }) => (from === 'workspace' ? [] : [name]));
    const [diffFile, ...policyFiles] = files.map(({ file }) => file.name);
    const documents: string[] = [...known, ...policyFiles];
    if (diffFile === undefined || documents.length === 0) {
      void showInformation(t('No document is left to review the changes against. Nothing was sent.'));
      return undefined;
    }
    const names = documents.map((name) => `“${toQuestionName(name)}”`).join(', ');
    const question = t(
      'Review the changes in the document “{0}” against these documents: {1}. Each line of the changes begins with its number in the new version of the file. Report each problem on a line of its own, in the form `path:line: finding [document]`, with the document that the line doesn’t comply with. If there are none, say so in one sentence.',
      toQuestionName(diffFile),
      names,
    );
    if (countCodePoints(question) > MESSAGE_LIMIT) {
      void showWarning(
        t('The names of the documents don’t fit into one message. Select fewer. Nothing was sent.'),
      );
      return undefined;
    }
    const conversationId = isOnlyThere ? listedFrom : undefined;
    const documentIds = isOnlyThere ? [] : onService.map(({ documentId }) => documentId);
    return { change, diff, bot, conversationId, documentIds, known, files, documents, question };
  }

  /** Returns whether the conversation that has the documents is still the one that was confirmed; else tells the user. */
  #checkConversation({ bot, conversationId }: ReviewPlan): boolean {
    if (conversationId === undefined) return true;
    const current = this.#services.chat.findConversation(conversationId)?.bot;
    if (current && mayBeSameBot(current, bot)) return true;
    void showWarning(t('The conversation that has the documents was deleted or changed. Nothing was sent.'));
    return false;
  }

  async #send({
    change,
    diff,
    bot,
    documentIds,
    files,
    documents,
    question,
    ...plan
  }: ReviewPlan): Promise<void> {
    const { chat, messageSender, uploads, panel, reviewReplies } = this.#services;
    const id = plan.conversationId ?? chat.createConversation(bot).id;
    if (!plan.conversationId) chat.update(id, { name: t('Review: {0}', change.label) });
    const rest = [...files];
    try {
      await this.#focus(id, documentIds);
      reviewReplies.addReview(
        { conversationId: id, root: change.root.toString(), question, documents },
        diff,
      );
      await panel.showConversation(id);
      const turns = await uploadWithProgress(
        { chat, uploads },
        id,
        rest.splice(0).map(({ file }) => file),
      );
      const isAttached = turns.every(
        (turn) => findDocument(chat.findConversation(id), turn.id)?.state === 'attached',
      );
      if (turns.length < files.length || !isAttached) {
        // Whoever uploads the rest again can send it.
        chat.composers.returnUnsent(id, { text: question, context: [] });
        void showWarning(
          t('Not all documents were uploaded, so the question wasn’t sent. It is in the text box.'),
        );
        return;
      }
    } finally {
      await Promise.all(rest.map(({ file }) => file.opened.close()));
    }
    const result = await messageSender.send(id, { text: question, context: [] });
    if (result === 'unsaved') showQueueNotSaved();
    if (result !== 'sent' && result !== 'queued')
      chat.composers.returnUnsent(id, { text: question, context: [] });
  }

  /** Limits the answers of a new conversation to the documents, if the service can. */
  async #focus(id: string, documentIds: readonly string[]): Promise<void> {
    const { connect, chat } = this.#services;
    const { capabilities } = connect(chat.findConversation(id)?.bot?.baseUrl);
    if (!capabilities.has('document_ids')) return;
    try {
      await setInitialFocus(this.#services, id, documentIds, new AbortController().signal);
    } catch (error) {
      // The service doesn't take them; the question names them.
      if (!(error instanceof ServiceError) || (error.status !== 400 && error.status !== 422)) throw error;
    }
  }
}

/** Creates the document with the diff, to be confirmed as files are. */
async function createDiffCandidate(
  { root, label, diff }: Change,
  { numbered }: ChangeDiff,
): Promise<Candidate> {
  const folder = root.path.split('/').at(-1) ?? '';
  const name = toFileName(`${label} (${folder})`, 'changes');
  const candidate = createMarkdownCandidate(name, `# ${name}\n\n${toFencedBlock(numbered, 'diff')}\n`, diff);
  const isInside = await isInWorkspace(root).catch(() => false);
  return isInside ? candidate : { ...candidate, concerns: [...candidate.concerns, 'outside'] };
}

/** Shows all that is sent, to whom, and in which message. */
async function confirmReview({
  bot,
  change,
  diff,
  files,
  known,
  question,
  conversationId,
}: ReviewPlan): Promise<boolean> {
  const review = t('Review');
  const paths = diff.paths.slice(0, MAX_NAMED_FILES);
  const more = diff.paths.length - paths.length;
  const lines = [
    t('Files to upload:'),
    ...files.map(({ file }) => `${file.name} (${formatBytes(file.opened.body.size)})`),
    '',
    t('Changed files:'),
    ...paths,
    ...(more > 0 ? [plural(more, 'and {0} more file', 'and {0} more files')] : []),
    ...(known.length > 0 ? ['', t('Documents that the service has:'), ...known] : []),
    '',
    t('Message:'),
    ...splitForDialog(question),
    '',
    conversationId === undefined
      ? t('The review is a new conversation.')
      : t('The review continues the conversation that has the documents.'),
    t('One message will be sent. It counts toward your limit.'),
  ];
  const title = t('Send these changes to {0} for review: {1}?', bot.name, change.label);
  return (await confirm(title, lines, review)) === review;
}
