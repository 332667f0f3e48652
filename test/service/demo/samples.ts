import { formatFence, paragraphs, table } from './quoting';

const code = formatFence('ts', [
  '/** Joins the chunks of a reply as they come. */',
  'export async function readAll(chunks: AsyncIterable<string>): Promise<string> {',
  "  let text = '';",
  '  for await (const chunk of chunks) {',
  '    text += chunk; // [START] and [END] carry no text',
  '  }',
  '  return text;',
  '}',
]);

const shell = formatFence('sh', ['npm start   # the service and VS Code', 'npm test    # everything']);

const endings = table(
  ['Ending', 'What stays', 'What you can do'],
  [
    ['**complete**', 'the whole reply', 'ask on'],
    ['**stopped**', 'what had come until then', 'ask again'],
    ['**interrupted**', 'what had come until then', 'look at it, then decide'],
    ['**failed**', 'your message', 'retry'],
  ],
);

const lists = paragraphs(
  '1. Upload a file\n2. Ask about it\n   - by a name: `parse`\n   - by a topic: _limits_\n3. Read what it says',
  '- [x] Streams while it is written\n- [x] Keeps a stopped reply\n- [ ] Makes coffee',
);

const markdown = paragraphs(
  '# A sample of Markdown',
  'Text can be **bold**, _italic_, ~~struck~~ or `code`, and [linked](https://commonmark.org).',
  '## Lists',
  lists,
  '## A table',
  endings,
  '## Code',
  code,
  '## A quotation',
  '> Simplicity is prerequisite for reliability.\n>\n> — Edsger W. Dijkstra',
  '---',
  'That was all of it.',
);

const topics = [
  'the first word',
  'a long wait',
  'a short answer',
  'an open door',
  'the second draft',
  'the margin',
];

/** Creates about 2,000 words: half a minute at a human pace, to try Stop and scrolling with. */
function createLongReply(): string {
  const sections = Array.from({ length: 24 }, (_, index) => {
    const topic = topics[index % topics.length];
    return paragraphs(
      `## ${index + 1}. On ${topic}`,
      `There is a good deal to say about ${topic}, and little of it is new. One begins with what is plain, ` +
        'goes on to what is likely, and stops where only guesses are left. A reader can leave at any of these ' +
        'points and still take something home; that is what makes a text kind to those who are in a hurry.',
      `What remains of ${topic} after the hurry is gone?\n\n- what was **measured**\n- what was _promised_\n- ` +
        'what somebody wrote down in time',
      index % 6 === 5 && code,
    );
  });
  return paragraphs(
    '# A long reply',
    'Press **Stop** (or Escape) whenever you have seen enough.',
    ...sections,
  );
}

const samples: readonly (readonly [pattern: RegExp, make: () => string])[] = [
  [/markdown|formatting|format/, () => markdown],
  [/code/, () => paragraphs('Some TypeScript:', code, 'And what a shell would run:', shell)],
  [/table/, () => paragraphs('How a reply can end:', endings)],
  [/list/, () => paragraphs('Lists, ordered and not:', lists)],
  [/long/, createLongReply],
];

const SHOW_REQUEST =
  /^(?:please |can you |could you )*(?:show|give|write|send|tell)(?: me| us)?(?: some| an?)? ?(?:rich |very )?(.*)$/;
const SAMPLE_OBJECT =
  /^(?:sample|example|piece|text|reply|answer|story|of|in|and|a|some|markdown|formatting|format|code|tables?|lists?|long|[\s,.!?])+$/;

/** Finds the sample for “show me some markdown”, “code”, “a table”, “a list” or “a long reply”. */
export function findSample(question: string): string | undefined {
  const asked = SHOW_REQUEST.exec(question.trim().toLowerCase())?.[1];
  if (asked === undefined || !SAMPLE_OBJECT.test(asked)) return undefined;
  return samples.find(([pattern]) => pattern.test(asked))?.[1]();
}
