import type { Conversation, DocumentTurn, ReplySource, ReplyTurn, Turn } from './conversation';
import { fenced, withClosedFence } from './fences';

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

/**
 * A conversation as a Markdown document: a heading a turn, so that an outline has them. A reply's text is verbatim, its
 * own headings too: which lines are headings takes a whole parser to say, and what the bot wrote is what people want
 * to find and copy. The person's text was never Markdown: it stands in a fence, character by character.
 */
export function exportMarkdown(conversation: Conversation, words: MarkdownWords): string {
  const head = [`# ${inline(conversation.name || words.untitled)}`, inline(words.about(conversation))];
  return `${[...head, ...conversation.turns.flatMap((turn) => turnBlocks(turn, words))].join('\n\n')}\n`;
}

function turnBlocks(turn: Turn, words: MarkdownWords): string[] {
  const heading = (who: string) => `## ${inline(who)} · ${inline(words.time(turn.at))}`;
  switch (turn.kind) {
    case 'message':
      return [heading(words.you), fenced(turn.text, 'text')];
    case 'document':
      return [heading(words.document), `${inline(turn.name)}  \n${inline(words.state(turn))}`];
    case 'reply': {
      const ending = words.ending(turn);
      return [
        heading(turn.bot || words.bot),
        ...(turn.text.trim() === '' ? [] : [withClosedFence(turn.text.trimEnd())]),
        ...(ending === undefined ? [] : [`> ${inline(ending)}`]),
        ...(turn.sources?.length
          ? [`${inline(words.sources)}:`, turn.sources.map(sourceItem).join('\n')]
          : []),
      ];
    }
  }
}

function sourceItem({ name, url }: ReplySource): string {
  const href = url === undefined ? undefined : linkTarget(url);
  return href ? `- [${inline(name)}](<${href}>)` : `- ${inline(name)}`;
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
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*[\]<&~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[#>+=-]|#$/g, '\\$&');
}
