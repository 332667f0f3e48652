import {
  type Conversation,
  type DocumentTurn,
  getBotName,
  type ReplySource,
  type ReplyTurn,
  type Turn,
} from '../model/conversation';
import { fenced, withClosedFence } from '../text/fences';

/** What the document says of its own, in the person's language. Plain text: it is escaped here. */
export interface MarkdownWords {
  readonly untitled: string;
  readonly you: string;
  /** Of a reply whose bot has no name. */
  readonly bot: string;
  readonly document: string;
  readonly sources: string;
  /** Bot and time of creation, in one line. */
  about(conversation: Conversation): string;
  time(at: number): string;
  /** How the reply ended, or that it goes on; nothing of one that is complete. */
  ending(reply: ReplyTurn): string | undefined;
  /** Size and state. */
  state(document: DocumentTurn): string;
}

/** A part of the document that an outline names. */
export interface MarkdownSection {
  /** Its heading, as plain text. */
  readonly title: string;
  readonly markdown: string;
}

/**
 * A conversation as a Markdown document: a heading a turn, so that an outline has them. A reply's text is verbatim, its
 * own headings too: which lines are headings takes a whole parser to say, and what the bot wrote is what people want
 * to find and copy. The person's text was never Markdown: it stands in a fence, character by character.
 */
export function exportMarkdown(conversation: Conversation, words: MarkdownWords): string {
  return markdownSections(conversation, words)
    .map(({ markdown }) => markdown)
    .join('\n');
}

/**
 * The same in parts, one below the other with an empty line between them: what is about the conversation, then its turns.
 * `known` has those of turns that can't change any more, so that a long conversation isn't written anew for each chunk.
 */
export function markdownSections(
  conversation: Conversation,
  words: MarkdownWords,
  known = new WeakMap<Turn, MarkdownSection>(),
): MarkdownSection[] {
  const title = conversation.name || words.untitled;
  const head = `# ${plainInline(title)}\n\n${plainInline(words.about(conversation))}\n`;
  const sections = conversation.turns.map((turn) => {
    const section = known.get(turn) ?? turnSection(conversation, turn, words);
    if (turn.kind !== 'reply' || turn.ending !== undefined) known.set(turn, section);
    return section;
  });
  return [{ title, markdown: head }, ...sections];
}

function turnSection(conversation: Conversation, turn: Turn, words: MarkdownWords): MarkdownSection {
  const who = { message: words.you, document: words.document, reply: words.bot }[turn.kind];
  const title = `${(turn.kind === 'reply' && getBotName(conversation, turn)) || who} · ${words.time(turn.at)}`;
  return { title, markdown: `${[`## ${plainInline(title)}`, ...turnBlocks(turn, words)].join('\n\n')}\n` };
}

function turnBlocks(turn: Turn, words: MarkdownWords): string[] {
  switch (turn.kind) {
    case 'message':
      return [fenced(turn.text, 'text')];
    case 'document':
      return [`${plainInline(turn.name)}  \n${plainInline(words.state(turn))}`];
    case 'reply': {
      const ending = words.ending(turn);
      return [
        ...(turn.text.trim() === '' ? [] : [withClosedFence(turn.text.trimEnd())]),
        ...(ending === undefined ? [] : [`> ${plainInline(ending)}`]),
        ...(turn.sources?.length
          ? [`${plainInline(words.sources)}:`, turn.sources.map(sourceItem).join('\n')]
          : []),
      ];
    }
  }
}

/** A document that a reply was made from, as an item of a list. */
export function sourceItem({ name, url }: ReplySource): string {
  const href = url === undefined ? undefined : linkTarget(url);
  return href ? `- [${plainInline(name)}](<${href}>)` : `- ${plainInline(name)}`;
}

/** As the panel: `https:` only. */
function linkTarget(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, username, password, href } = new URL(url);
  return protocol === 'https:' && !username && !password
    ? href.replace(/[\\<>]/g, encodeURIComponent)
    : undefined;
}

/** Plain text on one line of Markdown. An underscore within a word means nothing, and is found more easily as it is. */
export function plainInline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*[\]<&~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[#>+=-]|#$/g, '\\$&');
}
