import MiniSearch from 'minisearch';
import { paragraphs, table } from './quoting';
import { findContentWords, normalize, tokenize } from './terms';

interface Entry {
  readonly id: number;
  readonly title: string;
  /** Other words that questions may use. */
  readonly words: string;
  readonly text: string;
}

const upload =
  '1. Open a folder in VS Code.\n2. Right-click a file in the **Explorer** (several at once work too).\n' +
  '3. Choose **Upload to Conversation**.\n4. Ask me what it says.';

const entries: readonly Omit<Entry, 'id'>[] = [
  {
    title: 'Uploading a file',
    words: 'upload attach add send file document explorer pdf format size',
    text: paragraphs(
      upload,
      'Source files go up as text: `app.ts` becomes `app.ts.txt`, and I still know that it is TypeScript.',
    ),
  },
  {
    title: 'The API key',
    words: 'api key kept keep token secret password credential safe stored store security privacy',
    text:
      'Your API key is kept in VS Code’s secret storage and is sent to your service’s own address only, never to ' +
      'the hosts that stream replies or store files. **Parley: Set API Key** and **Parley: Clear API Key** in the ' +
      'Command Palette change it.',
  },
  {
    title: 'Stopping a reply',
    words: 'stop cancel abort interrupt escape reply streaming',
    text: 'Press **Stop** in the panel, or `Escape` in it. What has come until then stays. Try it: _show me a long reply_.',
  },
  {
    title: 'The keyboard',
    words: 'keyboard shortcut enter newline send message',
    text: table(
      ['Key', 'What it does'],
      [
        ['`Enter`', 'sends the message (see the setting `parley.sendWith`)'],
        ['`Shift+Enter`', 'breaks the line'],
        ['`Escape`', 'stops the reply'],
      ],
    ),
  },
  {
    title: 'Conversations and bots',
    words: 'new conversation chat bot change switch rename delete open history model',
    text:
      '**Parley: New Conversation** starts an empty one; others change its bot, rename or delete it. Each ' +
      'conversation belongs to one bot and has its own documents. Several can reply at the same time.',
  },
  {
    title: 'Asking about a selection',
    words: 'selection selected editor code ask',
    text: 'Select something in an editor, then run **Parley: Ask About Selection**: it goes into the message with its path and lines.',
  },
  {
    title: 'Limits',
    words: 'limit length maximum characters quota size long message',
    text: table(
      ['What', 'At most'],
      [
        ['A message', '2,000 characters'],
        ['A document', '100 MB'],
        ['Messages in 30 days', 'as your plan says; the local service has no limit'],
      ],
    ),
  },
  {
    title: 'The local service',
    words: 'local service server model openai ollama real ai llm guide echo',
    text:
      'I am a small search program, not a language model: I quote, I don’t make things up. For a model, start the ' +
      'service with `PARLEY_OPENAI_URL` (and `PARLEY_OPENAI_KEY`, `PARLEY_OPENAI_MODEL` where needed) and choose ' +
      'the bot **Model**.',
  },
  {
    title: 'Web search',
    words: 'web internet search online browse',
    text: 'The local service can’t search the web. It knows only the documents of the conversation.',
  },
  {
    title: 'Parley',
    words: 'parley extension vscode panel about',
    text:
      'Parley is a chat panel in VS Code for a hosted conversational-AI service: it streams replies, renders them as ' +
      'Markdown, and uploads files to a conversation.',
  },
];

const index = new MiniSearch<Entry>({ fields: ['title', 'words'], tokenize, processTerm: normalize });
index.addAll(entries.map((entry, id) => ({ id, ...entry })));

/** Returns the handbook entry about Parley that matches the question; undefined if there is none. */
export function findInHandbook(question: string): string | undefined {
  // “upload” is a stop word elsewhere, but users ask the handbook about it.
  const words = [...findContentWords(question), ...(/upload|attach/i.test(question) ? ['upload'] : [])];
  const best = index.search(words.join(' '), { boost: { title: 2 } })[0];
  const entry = best && entries[best.id as number];
  return entry && paragraphs(`### ${entry.title}`, entry.text);
}

/** Introduces the bot and the first steps; `unanswered`: in reply to a question, not to a greeting. */
export function introduce(unanswered: boolean): string {
  return paragraphs(
    unanswered
      ? 'I can’t answer that yet: there is no document in this conversation. I am **Guide**; I find the passages ' +
          'that a question is about, quote them, and name their lines.'
      : 'Hello! I am **Guide**. I answer from the documents of our conversation: I find the passages that your ' +
          'question is about, quote them, and name their lines.',
    '### Give me something to read',
    upload,
    '### Or look around',
    table(
      ['Say', 'And see'],
      [
        ['_what can you do_', 'what I am good for'],
        ['_show me markdown_', 'headings, lists, tables and code'],
        ['_show me a long reply_', 'something to press **Stop** in'],
        ['_where is my key kept_', 'what Parley does with it'],
      ],
    ),
  );
}

/** Describes what the bot can do. */
export function describeAbilities(): string {
  return paragraphs(
    '## What I can do',
    '- **Find and quote.** Ask about a topic, and I quote the passages that say most about it, with their lines.\n' +
      '- **Explain code by showing it.** _What does `parse` do?_ shows the function, its comment and who calls it.\n' +
      '- **Sum up.** _What is in the documents?_ gives a table and an outline.\n' +
      '- **Say so when I find nothing.** I never make things up.',
    '### How to give me a document',
    upload,
    'I can also show what a reply may look like: _show me markdown_, _code_, _a table_, _a list_, _a long reply_.',
  );
}
