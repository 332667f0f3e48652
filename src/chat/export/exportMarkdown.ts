import { toSafeLink } from '../../shared/text/safeLink';
import { type Conversation, getBotName } from '../model/conversation';
import type { DocumentTurn, ReplySource, ReplyTurn, Turn } from '../model/turn';
import { closeLastFence, toFencedBlock } from '../text/fences';

/** The document's own words in the user's language. Plain text: they are escaped here. */
export interface ExportWords {
  readonly untitled: string;
  readonly you: string;
  /** Stands for a bot without a name. */
  readonly bot: string;
  readonly document: string;
  readonly sources: string;
  /** Returns bot and time of creation in one line. */
  about(conversation: Conversation): string;
  /** A link that opens the conversation, made by Parley itself. */
  readonly link?: { readonly text: string; readonly url: string };
  time(at: number): string;
  /** Returns how the reply ended or that it is in progress; undefined for a complete one. */
  ending(reply: ReplyTurn): string | undefined;
  /** Returns size and state. */
  state(document: DocumentTurn): string;
}

/** A part of the document that appears in the outline. */
export interface MarkdownSection {
  /** Its heading as plain text. */
  readonly title: string;
  /** The question, for the outline. */
  readonly question?: string;
  readonly markdown: string;
}

/**
 * Exports a conversation as a Markdown document with a heading for each turn, for the outline. A reply's text
 * is verbatim, including its headings: finding them would take a full parser, and users want to find and copy
 * what the bot wrote. The user's text is not Markdown, so it is put in a code block, verbatim.
 */
export function exportMarkdown(conversation: Conversation, words: ExportWords): string {
  return toMarkdownSections(conversation, words)
    .map(({ markdown }) => markdown)
    .join('\n');
}

/**
 * Returns the document in parts, separated by empty lines: first the conversation's properties, then its
 * turns. `known` caches the parts of turns that no longer change, so that a chunk doesn't render a long
 * conversation again.
 */
export function toMarkdownSections(
  conversation: Conversation,
  words: ExportWords,
  known = new WeakMap<Turn, MarkdownSection>(),
): MarkdownSection[] {
  const title = conversation.name || words.untitled;
  const link = words.link ? `\n[${escapeInline(words.link.text)}](<${words.link.url}>)\n` : '';
  const head = `# ${escapeInline(title)}\n\n${escapeInline(words.about(conversation))}\n${link}`;
  const sections = conversation.turns.map((turn) => {
    const section = known.get(turn) ?? toSection(conversation, turn, words);
    if (turn.kind !== 'reply' || turn.ending !== undefined) known.set(turn, section);
    return section;
  });
  return [{ title, markdown: head }, ...sections];
}

function toSection(conversation: Conversation, turn: Turn, words: ExportWords): MarkdownSection {
  const who = { message: words.you, document: words.document, reply: words.bot }[turn.kind];
  const title = `${(turn.kind === 'reply' && getBotName(conversation, turn)) || who} · ${words.time(turn.at)}`;
  const question = turn.kind === 'message' ? turn.text.trim().split('\n', 1)[0] : undefined;
  return {
    title,
    ...(question && { question }),
    markdown: `${[`## ${escapeInline(title)}`, ...toBlocks(turn, words)].join('\n\n')}\n`,
  };
}

function toBlocks(turn: Turn, words: ExportWords): string[] {
  switch (turn.kind) {
    case 'message':
      return [toFencedBlock(turn.text, 'text')];
    case 'document':
      return [`${escapeInline(turn.name)}  \n${escapeInline(words.state(turn))}`];
    case 'reply': {
      const ending = words.ending(turn);
      return [
        ...(turn.text.trim() === '' ? [] : [closeLastFence(turn.text.trimEnd())]),
        ...(ending === undefined ? [] : [`> ${escapeInline(ending)}`]),
        ...(turn.sources?.length
          ? [`${escapeInline(words.sources)}:`, turn.sources.map(formatSourceItem).join('\n')]
          : []),
      ];
    }
  }
}

/** Formats a document that a reply is based on as a list item. */
export function formatSourceItem({ name, url }: ReplySource): string {
  const href = url === undefined ? undefined : toSafeLink(url);
  return href ? `- [${escapeInline(name)}](<${href}>)` : `- ${escapeInline(name)}`;
}

/**
 * Escapes plain text as one line of Markdown. Underscores within words are left alone: they have no meaning
 * and are easier to search for.
 */
export function escapeInline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*[\]<&~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[#>+=-]|#$/g, '\\$&');
}
