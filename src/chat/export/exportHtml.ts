import { escapeBidi, escapeInvisible } from '../../shared/text/escapeInvisible';
import { type Conversation, getBotName } from '../model/conversation';
import type { ReplySource, Turn } from '../model/turn';
import type { ExportWords } from './exportMarkdown';
import { HTML_STYLE } from './htmlStyle';
import { createSharedRoom, escapeHtml, renderLink, toHtml } from './markdownHtml';

/** Renders the Markdown of a turn, see `toHtml`. */
type ToText = (markdown: string, keepsLines: boolean) => string;

/**
 * Exports a conversation as an HTML document for reading and printing. It loads nothing and runs no script: the policy
 * allows its own style sheet only, and everything in the conversation is escaped or rendered by name. Hidden characters
 * are spelled out, as in the panel.
 */
export async function exportHtml(
  conversation: Conversation,
  words: ExportWords,
  language: string,
): Promise<string> {
  const title = escapeName(conversation.name || words.untitled);
  const style = await hashStyle(HTML_STYLE);
  const policy = `default-src 'none'; style-src '${style}'; base-uri 'none'; form-action 'none'`;
  const room = createSharedRoom();
  const toText = (text: string, keepsLines: boolean) => toHtml(text, keepsLines, room);
  const turns = conversation.turns.map((turn) => toSection(conversation, turn, words, toText));
  return escapeBidi(`<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header>
<h1 dir="auto">${title}</h1>
<p>${escapeName(words.about(conversation))}</p>${toLink(words)}
</header>
<main>
${turns.join('\n')}
</main>
</body>
</html>
`);
}

function toSection(conversation: Conversation, turn: Turn, words: ExportWords, toText: ToText): string {
  const who = { message: words.you, document: words.document, reply: words.bot }[turn.kind];
  const name = (turn.kind === 'reply' && getBotName(conversation, turn)) || who;
  const time = `<time datetime="${new Date(turn.at).toISOString()}">${escapeHtml(words.time(turn.at))}</time>`;
  return `<section class="${turn.kind}">
<h2><bdi>${escapeName(name)}</bdi> ${time}</h2>
${toBlocks(turn, words, toText).join('\n')}
</section>`;
}

function toBlocks(turn: Turn, words: ExportWords, toText: ToText): string[] {
  switch (turn.kind) {
    case 'message':
      return [`<div class="text" dir="auto">\n${toText(turn.text, true)}</div>`];
    case 'document':
      return [`<p><bdi>${escapeName(turn.name)}</bdi><br>${escapeHtml(words.state(turn))}</p>`];
    case 'reply': {
      const ending = words.ending(turn);
      return [
        ...(turn.text.trim() === '' ? [] : [`<div dir="auto">\n${toText(turn.text, false)}</div>`]),
        ...(ending === undefined ? [] : [`<p class="ending">${escapeHtml(ending)}</p>`]),
        ...(turn.sources?.length
          ? [`<p>${escapeHtml(words.sources)}:</p>\n<ul>${turn.sources.map(toSourceItem).join('')}</ul>`]
          : []),
      ];
    }
  }
}

function toLink({ link }: ExportWords): string {
  return link ? `\n<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>` : '';
}

function toSourceItem({ name, url }: ReplySource): string {
  const text = escapeInvisible(name);
  return `<li>${url === undefined ? escapeHtml(text) : renderLink(url, text)}</li>`;
}

function escapeName(name: string): string {
  return escapeHtml(escapeInvisible(name));
}

/** Returns the source expression of a policy that allows this inline style sheet only. */
async function hashStyle(style: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
