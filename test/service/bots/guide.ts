import type { Bot, BotDocument, ReplyRequest } from './bot';
import {
  answerFrom,
  contentsTable,
  type GuideAnswer,
  listWords,
  overview,
  passagesPerAnswer,
  suggestion,
} from './documentAnswers';
import { DocumentSearch } from './documentSearch';
import { originalName, readText, type TextDocument } from './documentText';
import { abilities, fromHandbook, introduction } from './handbook';
import { say } from './pace';
import { count, inlineCode, paragraphs } from './quoting';
import { sampleFor } from './samples';
import { declarations } from './symbols';
import { contentWords, rawWords } from './terms';

/** Answers from the documents of the conversation, by search and quotation; never makes anything up. */
export const guide: Bot = {
  id: 'guide',
  name: 'Guide',
  async *reply(request) {
    const { text, sources } = answer(request);
    const note = '_The local service can’t search the web; this is what I know without it._';
    yield* say(request.webSearch ? paragraphs(note, text) : text, request);
    return { sources };
  },
};

const greeting =
  /^(hi|hello|hey|good (morning|day|evening)|thanks?( you)?|hallo|bonjour)\b[\s\w]{0,12}[.!]*$/i;
const ability =
  /^(help|what (can|do) you do|what are you( good)? for|who are you|how do you work|what can i (ask|do))\b/i;
const all = /\b(summar\w+|overview|outline|sum up|which documents|list (the |my |all )*(documents|files))\b/i;
const aFile = /\b(file|document)s?\b/i;
const thisFile = /\b(this|the|my) (file|document)\b/i;
const more = /^(show |tell |give )?(me |us )?(some )?more\b|^(go on|continue)\b/i;

function answer(request: ReplyRequest): GuideAnswer {
  const question = request.question.trim();
  const sample = sampleFor(question);
  if (sample) return { text: sample, sources: [] };
  if (ability.test(question)) return { text: abilities(), sources: [] };
  const { readable, unreadable } = read(request.documents);
  const selection = readSelection(question);
  if (selection) return aboutSelection(selection, readable);
  const greets = greeting.test(question);
  if (request.documents.length === 0) {
    const known = greets ? undefined : fromHandbook(question);
    return { text: known ?? introduction(!greets), sources: [] };
  }
  if (greets) return welcome(readable, unreadable);
  return fromDocuments(request, question, readable, unreadable);
}

function read(documents: readonly BotDocument[]): { readable: TextDocument[]; unreadable: BotDocument[] } {
  const texts = documents.map((document) => readText(document));
  return {
    readable: texts.filter((text) => text !== undefined),
    unreadable: documents.filter((_, index) => texts[index] === undefined),
  };
}

function fromDocuments(
  request: ReplyRequest,
  question: string,
  readable: readonly TextDocument[],
  unreadable: readonly BotDocument[],
): GuideAnswer {
  const closed = unreadable.filter(({ name }) => names(question, name));
  if (closed.length) return cannotRead(closed, readable);
  const named = readable.filter(({ name }) => names(question, name));
  const among = named.length ? named : readable;
  const asked = named.reduce(
    (text, { name }) => text.toLowerCase().replaceAll(name.toLowerCase(), ' '),
    question,
  );
  const words = contentWords(asked);
  const previous = earlierQuestion(request);
  if (all.test(question) || (words.length === 0 && (named.length || !previous || aFile.test(question)))) {
    const latest = thisFile.test(question) && !named.length ? readable.slice(-1) : among;
    return overview(latest, latest === readable ? unreadable : []);
  }
  const goesOn = more.test(question);
  const topic = previous && (goesOn || words.length === 0) ? previous : named.length ? asked : question;
  const found = answerFrom(new DocumentSearch(among), topic, goesOn ? passagesPerAnswer : 0);
  if (found) return found;
  const known = fromHandbook(question);
  return known ? { text: known, sources: [] } : nothingFound(words, readable, unreadable);
}

/** A question says the whole name of a document, as the person or the service knows it. */
function names(question: string, name: string): boolean {
  const said = question.toLowerCase();
  return said.includes(name.toLowerCase()) || said.includes(originalName(name).toLowerCase());
}

/** What “it” and “more” refer to: the person's last message that was about something. */
function earlierQuestion({ history }: ReplyRequest): string | undefined {
  return history.findLast(({ machine, content }) => !machine && contentWords(content).length > 0)?.content;
}

function welcome(readable: readonly TextDocument[], unreadable: readonly BotDocument[]): GuideAnswer {
  const documents = readable.length + unreadable.length;
  const text = `Hello! You have given me ${count(documents, 'document')}; ask me about ${documents > 1 ? 'them' : 'it'}.`;
  return { text: paragraphs(text, contentsTable(readable, unreadable), suggestion(readable)), sources: [] };
}

function cannotRead(closed: readonly BotDocument[], readable: readonly TextDocument[]): GuideAnswer {
  const text = paragraphs(
    `I can’t read ${closed.map(({ name }) => `**${name}**`).join(' and ')} here: the local service understands ` +
      'documents that are plain text (source files, Markdown, notes). The bytes arrived all the same.',
    readable.length > 0 && `What I can read: ${readable.map(({ name }) => `**${name}**`).join(', ')}.`,
  );
  return { text, sources: [] };
}

function nothingFound(
  words: readonly string[],
  readable: readonly TextDocument[],
  unreadable: readonly BotDocument[],
): GuideAnswer {
  const listed = [...readable, ...unreadable].map(({ name }) => `- **${name}**`).join('\n');
  const closed = unreadable.length > 0 && '_Some of them are in a format that I can’t read here._';
  const text = paragraphs(
    `I found nothing about ${listWords(words)} in the documents of this conversation. They are:`,
    listed,
    closed,
    suggestion(readable),
  );
  return { text, sources: [] };
}

interface Selection {
  readonly question: string;
  readonly document: TextDocument;
}

/** Code in a fence, as “Ask About Selection” puts it into a message. */
function readSelection(message: string): Selection | undefined {
  const match = /^(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*\n([\s\S]*?)\n\1[ \t]*$/m.exec(message);
  if (!match) return undefined;
  const [block, , language = '', code = ''] = match;
  const document = { id: '', name: 'the selection', language: language || 'text', lines: code.split('\n') };
  return { question: message.replace(block, ' '), document };
}

function aboutSelection({ question, document }: Selection, readable: readonly TextDocument[]): GuideAnswer {
  const declared = declarations(document).map(({ name }) => name);
  const search = new DocumentSearch(readable);
  const used = [...new Set(document.lines.flatMap(rawWords))].filter(
    (word) => !declared.includes(word) && search.declarationsOf(word).some(({ name }) => name === word),
  );
  const about = paragraphs(
    `Your selection has ${count(document.lines.length, 'line')}` +
      (declared.length ? ` and declares ${declared.map(inlineCode).join(', ')}.` : '.'),
    used.length > 0 && `It uses ${used.map(inlineCode).join(', ')} from your documents.`,
  );
  const found =
    answerFrom(search, question) ?? answerFrom(search, [...used, ...declared].map(inlineCode).join(' '));
  if (found) return { text: paragraphs(about, found.text), sources: found.sources };
  const advice = readable.length
    ? 'I found nothing more about it in your documents.'
    : '**Upload to Conversation** the files around it, and I can show what it uses and who uses it.';
  return { text: paragraphs(about, advice), sources: [] };
}
