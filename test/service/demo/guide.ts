import type { Bot, BotDocument, ReplyRequest } from '../bots/bot';
import { streamWords } from '../bots/pace';
import {
  createAnswer,
  createOverview,
  formatDocumentTable,
  formatWords,
  type GuideAnswer,
  PASSAGES_PER_ANSWER,
  suggestQuestion,
} from './documentAnswers';
import { DocumentSearch } from './documentSearch';
import { getOriginalName, readText, type TextDocument } from './documentText';
import { describeAbilities, findInHandbook, introduce } from './handbook';
import { count, inlineCode, paragraphs } from './quoting';
import { findSample } from './samples';
import { findDeclarations } from './symbols';
import { findContentWords, findWords } from './terms';

/** Answers from the documents of the conversation by search and quotation; never makes anything up. */
export const guide: Bot = {
  id: 'guide',
  name: 'Guide',
  async *reply(request) {
    const { text, sources } = createReply(request);
    const note = '_The local service can’t search the web; this is what I know without it._';
    yield* streamWords(request.webSearch ? paragraphs(note, text) : text, request);
    return { sources };
  },
};

const GREETING =
  /^(hi|hello|hey|good (morning|day|evening)|thanks?( you)?|hallo|bonjour)\b[\s\w]{0,12}[.!]*$/i;
const ABILITY_QUESTION =
  /^(help|what (can|do) you do|what are you( good)? for|who are you|how do you work|what can i (ask|do))\b/i;
const OVERVIEW_QUESTION =
  /\b(summar\w+|overview|outline|sum up|which documents|list (the |my |all )*(documents|files))\b/i;
const ANY_FILE = /\b(file|document)s?\b/i;
const THIS_FILE = /\b(this|the|my) (file|document)\b/i;
const MORE_REQUEST = /^(show |tell |give )?(me |us )?(some )?more\b|^(go on|continue)\b/i;

function createReply(request: ReplyRequest): GuideAnswer {
  const question = request.question.trim();
  const sample = findSample(question);
  if (sample) return { text: sample, sources: [] };
  if (ABILITY_QUESTION.test(question)) return { text: describeAbilities(), sources: [] };
  const { readable, unreadable } = readDocuments(request.documents);
  const selection = parseSelection(question);
  if (selection) return explainSelection(selection, readable);
  const isGreeting = GREETING.test(question);
  if (request.documents.length === 0) {
    const handbookAnswer = isGreeting ? undefined : findInHandbook(question);
    return { text: handbookAnswer ?? introduce(!isGreeting), sources: [] };
  }
  if (isGreeting) return createWelcome(readable, unreadable);
  return answerFromDocuments(request, question, readable, unreadable);
}

function readDocuments(documents: readonly BotDocument[]): {
  readable: TextDocument[];
  unreadable: BotDocument[];
} {
  const texts = documents.map((document) => readText(document));
  return {
    readable: texts.filter((text) => text !== undefined),
    unreadable: documents.filter((_, index) => texts[index] === undefined),
  };
}

function answerFromDocuments(
  request: ReplyRequest,
  question: string,
  readable: readonly TextDocument[],
  unreadable: readonly BotDocument[],
): GuideAnswer {
  const unreadableNamed = unreadable.filter(({ name }) => includesName(question, name));
  if (unreadableNamed.length) return explainUnreadable(unreadableNamed, readable);
  const named = readable.filter(({ name }) => includesName(question, name));
  const among = named.length ? named : readable;
  const withoutNames = named.reduce(
    (text, { name }) => text.toLowerCase().replaceAll(name.toLowerCase(), ' '),
    question,
  );
  const words = findContentWords(withoutNames);
  const previous = findEarlierQuestion(request);
  if (
    OVERVIEW_QUESTION.test(question) ||
    (words.length === 0 && (named.length || !previous || ANY_FILE.test(question)))
  ) {
    const selected = THIS_FILE.test(question) && !named.length ? readable.slice(-1) : among;
    return createOverview(selected, selected === readable ? unreadable : []);
  }
  const wantsMore = MORE_REQUEST.test(question);
  const topic =
    previous && (wantsMore || words.length === 0) ? previous : named.length ? withoutNames : question;
  const found = createAnswer(new DocumentSearch(among), topic, wantsMore ? PASSAGES_PER_ANSWER : 0);
  if (found) return found;
  const handbookAnswer = findInHandbook(question);
  return handbookAnswer
    ? { text: handbookAnswer, sources: [] }
    : createNothingFound(words, readable, unreadable);
}

/** Whether a question contains the whole name of a document, original or uploaded. */
function includesName(question: string, name: string): boolean {
  const text = question.toLowerCase();
  return text.includes(name.toLowerCase()) || text.includes(getOriginalName(name).toLowerCase());
}

/** Returns what “it” and “more” refer to: the user's last message with content words. */
function findEarlierQuestion({ history }: ReplyRequest): string | undefined {
  return history.findLast(({ machine, content }) => !machine && findContentWords(content).length > 0)
    ?.content;
}

function createWelcome(readable: readonly TextDocument[], unreadable: readonly BotDocument[]): GuideAnswer {
  const documents = readable.length + unreadable.length;
  const text = `Hello! You have given me ${count(documents, 'document')}; ask me about ${documents > 1 ? 'them' : 'it'}.`;
  return {
    text: paragraphs(text, formatDocumentTable(readable, unreadable), suggestQuestion(readable)),
    sources: [],
  };
}

function explainUnreadable(closed: readonly BotDocument[], readable: readonly TextDocument[]): GuideAnswer {
  const text = paragraphs(
    `I can’t read ${closed.map(({ name }) => `**${name}**`).join(' and ')} here: the local service understands ` +
      'documents that are plain text (source files, Markdown, notes). The bytes arrived all the same.',
    readable.length > 0 && `What I can read: ${readable.map(({ name }) => `**${name}**`).join(', ')}.`,
  );
  return { text, sources: [] };
}

function createNothingFound(
  words: readonly string[],
  readable: readonly TextDocument[],
  unreadable: readonly BotDocument[],
): GuideAnswer {
  const listed = [...readable, ...unreadable].map(({ name }) => `- **${name}**`).join('\n');
  const closed = unreadable.length > 0 && '_Some of them are in a format that I can’t read here._';
  const text = paragraphs(
    `I found nothing about ${formatWords(words)} in the documents of this conversation. They are:`,
    listed,
    closed,
    suggestQuestion(readable),
  );
  return { text, sources: [] };
}

interface Selection {
  readonly question: string;
  readonly document: TextDocument;
}

/** Parses the fenced code that “Ask About Selection” adds to a message. */
function parseSelection(message: string): Selection | undefined {
  const match = /^(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*\n([\s\S]*?)\n\1[ \t]*$/m.exec(message);
  if (!match) return undefined;
  const [block, , language = '', code = ''] = match;
  const document = { id: '', name: 'the selection', language: language || 'text', lines: code.split('\n') };
  return { question: message.replace(block, ' '), document };
}

function explainSelection({ question, document }: Selection, readable: readonly TextDocument[]): GuideAnswer {
  const declared = findDeclarations(document).map(({ name }) => name);
  const search = new DocumentSearch(readable);
  const used = [...new Set(document.lines.flatMap(findWords))].filter(
    (word) => !declared.includes(word) && search.findDeclarations(word).some(({ name }) => name === word),
  );
  const about = paragraphs(
    `Your selection has ${count(document.lines.length, 'line')}` +
      (declared.length ? ` and declares ${declared.map(inlineCode).join(', ')}.` : '.'),
    used.length > 0 && `It uses ${used.map(inlineCode).join(', ')} from your documents.`,
  );
  const found =
    createAnswer(search, question) ?? createAnswer(search, [...used, ...declared].map(inlineCode).join(' '));
  if (found) return { text: paragraphs(about, found.text), sources: found.sources };
  const advice = readable.length
    ? 'I found nothing more about it in your documents.'
    : '**Upload to Conversation** the files around it, and I can show what it uses and who uses it.';
  return { text: paragraphs(about, advice), sources: [] };
}
