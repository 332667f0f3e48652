import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { MentionView } from '../../shared/conversation/mention';
import { type ContextChip, countCodePoints } from '../../shared/conversation/message';
import type { RequestOf, ResponseTo } from '../../shared/protocol/requests';
import { filterByRank, getPathRank } from '../../shared/text/fuzzyMatch';
import { showError, showInformation } from '../base/dialogs';
import { getErrorMessage } from '../base/localizedText';
import { createTextChip } from '../context/chips';
import { collectCandidates, type UploadActions } from '../documents/uploadActions';
import { type Candidate, inspectFile } from '../files/candidate';
import { confirmDiff, confirmMention, isMentionAsked, type Selection } from '../files/contentGate';
import { detectSecretInDiff } from '../files/detectSecret';
import { GitIgnore } from '../files/gitIgnore';
import { createMarkdownCandidate } from '../files/markdownCandidate';
import type { HostPage } from '../panel/page/hostPage';
import type { Panel } from '../panel/panel';
import { FileList } from './fileList';
import { MAX_CHIP_BYTES, MAX_SYMBOL_FILE_BYTES, readOpenedText } from './fileText';
import type { Mention } from './mentionItem';
import { createFileMention, createFolderMention, getMentions } from './mentionSources';
import { createLinesChip, SymbolSearch } from './symbols';

const { t } = vscode.l10n;

const LIMITS = { files: 20, folders: 8 } as const;
/** Without symbols. */
const MAX_MENTIONS = 50;
/** Limit on files read at the same time. */
const MAX_PARALLEL = 6;

type Search = RequestOf<'findMentions'>;
type Found = ResponseTo<'findMentions'>;
type Used = ResponseTo<'useMention'>;

/** The list of mentions of a page, from its opening until the next. */
interface Session {
  readonly listId: string;
  readonly mentions: Promise<readonly Mention[]>;
  readonly files: FileList;
  /** The mentions that the page was told of, by their IDs. */
  readonly offered: Map<string, Mention>;
  /** IDs, by kind and key. */
  readonly ids: Map<string, string>;
  /** Lengths of chips, by ID; undefined if it can't become a chip. */
  readonly characters: Map<string, number | undefined>;
}

/** Finds what a message can mention, and adds what the user chose: as a chip, or as an upload if it doesn't fit. */
export class MentionActions {
  readonly #chat: Chat;
  readonly #panel: Pick<Panel, 'returnTo'>;
  readonly #uploadActions: Pick<UploadActions, 'attachTo'>;
  readonly #symbols = new SymbolSearch();
  readonly #sessions = new WeakMap<HostPage, Session>();

  constructor(services: {
    chat: Chat;
    panel: Pick<Panel, 'returnTo'>;
    uploadActions: Pick<UploadActions, 'attachTo'>;
  }) {
    this.#chat = services.chat;
    this.#panel = services.panel;
    this.#uploadActions = services.uploadActions;
  }

  /** Yields the mentions that match a query, as they are found. */
  async *find(search: Search, page: HostPage, signal: AbortSignal): AsyncGenerator<Found> {
    const { query } = search;
    const session = this.#getSession(search, page);
    const sources = filterMentions(await session.mentions, query);
    if (signal.aborted) return;
    if (!session.files.isListed) yield { mentions: toViews(session, sources), isSearching: true };
    const { files, folders } = await session.files.find(query, LIMITS, signal);
    if (signal.aborted) return;
    const editors = new Set(sources.flatMap(({ kind, key }) => (kind === 'editor' ? [key] : [])));
    const others = files.filter(({ uri }) => !editors.has(uri.toString()));
    const mentions = filterMentions(
      [
        ...sources,
        ...others.map((file) => createFileMention('file', file)),
        ...folders.map(createFolderMention),
      ],
      query,
    ).slice(0, MAX_MENTIONS);
    yield { mentions: toViews(session, mentions), isSearching: false };
    // Fails when it is aborted.
    const symbolSearch = this.#symbols.find(query, signal).catch(() => []);
    await measureAll(session, mentions, signal);
    if (signal.aborted) return;
    yield { mentions: toViews(session, mentions), isSearching: false };
    const symbols = await symbolSearch;
    await measureAll(session, symbols, signal);
    if (signal.aborted || symbols.length === 0) return;
    // After the others, which keep their places.
    yield { mentions: toViews(session, [...mentions, ...symbols]), isSearching: false };
  }

  /** Adds a mention that the page was told of: as a chip if it has at most `remainingCharacters`, otherwise as an upload. */
  async use(
    conversationId: string,
    mentionId: string,
    remainingCharacters: number,
    page: HostPage,
  ): Promise<Used> {
    const mention = this.#sessions.get(page)?.offered.get(mentionId);
    if (!mention || !this.#chat.findConversation(conversationId)) return 'none';
    const { uri, kind } = mention;
    try {
      if (kind === 'folder' && uri)
        return this.#upload(conversationId, mention, page, () => collectCandidates([uri]));
      if (!uri) return await this.#add(conversationId, mention, remainingCharacters, page);
      const candidate = await inspectFile(uri, new GitIgnore());
      try {
        return await this.#add(conversationId, mention, remainingCharacters, page, candidate);
      } finally {
        await candidate.file.opened.close();
      }
    } catch (error) {
      showFailure(mention, error);
      return 'none';
    }
  }

  /** `candidate`: the file that the content is from. */
  async #add(
    conversationId: string,
    mention: Mention,
    remainingCharacters: number,
    page: HostPage,
    candidate?: Candidate,
  ): Promise<Used> {
    const { uri, content } = mention;
    const chip = await createChip(mention, candidate);
    if (typeof chip === 'string') {
      void showInformation(chip);
      return 'none';
    }
    if (chip && countCodePoints(chip.text) <= remainingCharacters) {
      const isDiff = chip.kind === 'diff' && detectSecretInDiff(chip.text) !== undefined;
      const isAsked = isDiff || (candidate !== undefined && isMentionAsked(candidate));
      const isConfirmed = !isAsked || (candidate ? await confirmMention(candidate) : await confirmDiff(chip));
      if (isConfirmed) this.#chat.composers.addContext(conversationId, [chip]);
      if (isAsked) await this.#panel.returnTo(page);
      return isConfirmed ? 'chip' : 'none';
    }
    if (uri && content.type === 'whole') {
      return this.#upload(conversationId, mention, page, () => collectCandidates([uri]));
    }
    if (!chip) throw new Error(t('it is too large, or not text.'));
    const document = createDocument(chip, candidate);
    return this.#upload(conversationId, mention, page, async () => ({ candidates: [document] }));
  }

  /** Uploads after confirmation, because a page asked for it. */
  #upload(
    conversationId: string,
    mention: Mention,
    page: HostPage,
    choose: () => Promise<Selection>,
  ): 'upload' {
    this.#uploadActions
      .attachTo(conversationId, async () => ({ ...(await choose()), namedByPage: true }), page)
      .catch((error: unknown) => showFailure(mention, error));
    return 'upload';
  }

  #getSession({ conversationId, listId }: Search, page: HostPage): Session {
    const existing = this.#sessions.get(page);
    if (existing?.listId === listId) return existing;
    const session: Session = {
      listId,
      mentions: getMentions(this.#chat.findConversation(conversationId)),
      files: new FileList(),
      offered: new Map(),
      ids: new Map(),
      characters: new Map(),
    };
    this.#sessions.set(page, session);
    return session;
  }
}

function filterMentions(mentions: readonly Mention[], query: string): readonly Mention[] {
  return filterByRank(mentions, ({ name, description = '' }) => getPathRank(name, description, query));
}

/** Creates a chip, or returns why there is none; undefined if a file isn't text of a bounded size. */
async function createChip(
  { content }: Mention,
  candidate: Candidate | undefined,
): Promise<ContextChip | string | undefined> {
  if (content.type === 'chip') return content.create();
  if (!candidate) return undefined;
  const { uri, file } = candidate;
  const isWhole = content.type === 'whole';
  const text = await readOpenedText(file.opened, isWhole ? MAX_CHIP_BYTES : MAX_SYMBOL_FILE_BYTES);
  if (text === undefined) return undefined;
  return isWhole
    ? createTextChip('file', uri, text)
    : createLinesChip(uri, content.symbol, text, await content.findRange());
}

/** Creates a Markdown document from the text of a chip. `from`: the file that the text is from. */
function createDocument({ kind, name, text }: ContextChip, from: Candidate | undefined): Candidate {
  const document = createMarkdownCandidate(name, text, kind === 'diff' ? text : undefined);
  const secret = document.secret ?? from?.secret;
  const fromConcerns = from?.concerns.filter((concern) => concern !== 'kind') ?? [];
  return { ...document, concerns: [...document.concerns, ...fromConcerns], ...(secret && { secret }) };
}

function showFailure({ name }: Mention, error: unknown): void {
  void showError(t('Couldn’t add {0}: {1}', name, getErrorMessage(error)));
}

/** Measures the chips of mentions that have no known length yet, a few at a time. */
async function measureAll(
  session: Session,
  mentions: readonly Mention[],
  signal: AbortSignal,
): Promise<void> {
  const rest = mentions.values();
  const measureRest = async () => {
    for (const mention of rest) {
      const id = getId(session, mention);
      if (signal.aborted) return;
      if (!mention.measure || session.characters.has(id)) continue;
      session.characters.set(id, await mention.measure().catch(() => undefined));
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, measureRest));
}

/** Returns what the page shows of mentions, which it can use from then on. */
function toViews(session: Session, mentions: readonly Mention[]): readonly MentionView[] {
  return mentions.map((mention) => {
    const { kind, name, description } = mention;
    const id = getId(session, mention);
    session.offered.set(id, mention);
    const characters = session.characters.get(id);
    const isUpload = session.characters.has(id) && characters === undefined;
    return {
      ...{ id, kind, name },
      ...(description !== undefined && { description }),
      ...(characters !== undefined && { characters }),
      ...(isUpload && { uploads: true }),
    };
  });
}

function getId({ ids }: Session, { kind, key }: Mention): string {
  const whole = `${kind} ${key}`;
  // Never used again: the page may choose from an older list.
  const id = ids.get(whole) ?? crypto.randomUUID();
  ids.set(whole, id);
  return id;
}
