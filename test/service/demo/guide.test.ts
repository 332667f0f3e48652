import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { assertLinear } from '../../support/cpuTime';
import { cases } from '../../support/fuzz';
import type { BotDocument, ReplyRequest } from '../bots/bot';
import { splitWords } from '../bots/pace';
import { guide } from './guide';

const source = `import { readFile } from 'node:fs/promises';

const limit = 10;

/** Parses one line into a record. Throws on an empty line. */
export function parse(line: string): Record<string, string> {
  if (!line) throw new Error('empty');

  return Object.fromEntries(line.split(';').map((pair) => pair.split('=')));
}

export class RecordReader {
  /** Reads a whole file of records. */
  async readAll(path: string) {
    const text = await readFile(path, 'utf8');
    return text.split('\\n').slice(0, limit).map((line) => parse(line));
  }
}
`;

const notes = `# Team handbook

Welcome to the team.

## Holidays

Everybody has 30 days a year.

- Ask your lead two weeks before.
- Unused days last until March.

## Expenses

| What | At most |
|---|---|
| Hotel | 120 € |
| Dinner | 40 € |

\`\`\`sh
# Holidays are not a heading here
expense submit
\`\`\`
`;

const document = (name: string, bytes: string | Buffer): BotDocument => ({
  id: `id-${name}`,
  name,
  bytes: Buffer.from(bytes),
});
const code = document('records.ts.txt', source);
const handbook = document('handbook.md', notes);
const slides = document('slides.pdf', Buffer.from('%PDF-1.7\n\0binary'));

async function ask(
  question: string,
  documents: readonly BotDocument[] = [],
  more: Partial<ReplyRequest> = {},
) {
  const signal = new AbortController().signal;
  const request = {
    question,
    history: [],
    documents,
    webSearch: false,
    pace: 'instant',
    signal,
    ...more,
  } as const;
  const reply = guide.reply(request);
  for (let text = ''; ; ) {
    const step = await reply.next();
    if (step.done) return { text, sources: step.value.sources };
    text += step.value;
  }
}

describe('Guide', () => {
  it('quotes the function that a question names, with its language, lines and uses', async () => {
    for (const question of [
      'What does parse do?',
      'parse',
      'Explain `parse` to me please',
      'how does parse() work',
    ]) {
      const { text, sources } = await ask(question, [handbook, code]);
      const lines = source.split('\n').slice(4, 10).join('\n');
      assert.ok(text.includes(`\`\`\`ts\n${lines}\n\`\`\``), text);
      assert.match(text, /\*\*records\.ts\*\*, lines 5–10/);
      assert.match(text, /\| records\.ts:16 \| `.*parse\(line\)/);
      assert.deepEqual(sources, ['id-records.ts.txt']);
    }
  });

  it('quotes prose as a blockquote with its heading and lines', async () => {
    const { text, sources } = await ask('How many holidays do I have?', [code, handbook]);
    assert.match(text, /^### Team handbook › Holidays$/m);
    assert.match(text, /^> Everybody has 30 days a year\.\n>\n> - Ask your lead/m);
    assert.match(text, /\*\*handbook\.md\*\*, lines 7–10/);
    assert.deepEqual(sources, ['id-handbook.md']);
  });

  it('quotes only the relevant paragraph of a text without headings', async () => {
    const text = readFileSync(join(__dirname, '../../vscode/sample-workspace/notes.txt'));
    const answer = await ask('How much is a bicycle?', [document('notes.txt', text.toString())]);
    assert.match(answer.text, /^> A bicycle costs 2 euros each way\./m);
    assert.match(answer.text, /\*\*notes\.txt\*\*, lines 3–5/);
    assert.doesNotMatch(answer.text, /Petrel|Weather|more passage/);
  });

  it('quotes a table completely', async () => {
    const { text } = await ask('what can I spend on a hotel?', [handbook]);
    assert.match(text, /> \| What \| At most \|\n> \|---\|---\|\n> \| Hotel \| 120 € \|/);
  });

  it('quotes only the relevant part of a long block or line', async () => {
    const values = Array.from(
      { length: 60 },
      (_, index) => `  "value${index}": ${index}${index < 59 ? ',' : ''}`,
    );
    values[40] = '  "timeoutSeconds": 30,';
    const settings = document('settings.json.txt', ['{', ...values, '}'].join('\n'));
    const { text } = await ask('what is the timeout?', [settings]);
    assert.match(text, /```json\n"value38": 38,\n"value39": 39,\n"timeoutSeconds": 30,/);
    assert.match(text, /\*\*settings\.json\*\*, lines 40–59/);
    const filler = 'Nothing happened on that day. '.repeat(60);
    const story = document('story.txt', `${filler}A dragon came on Tuesday. ${filler}`);
    const quoted = (await ask('dragon', [story])).text;
    assert.match(quoted, /^> … Nothing happened on that day\. A dragon came on Tuesday\./m);
    assert.ok(quoted.length < 1000);
  });

  it('quotes whole declarations in other languages, regardless of their brackets', async () => {
    const c = document(
      'm.c.txt',
      'static int add(int a)\n{\n  return a;\n}\n\nint other(void) { return 1; }\n',
    );
    assert.match(
      (await ask('what does add do', [c])).text,
      /```c\nstatic int add\(int a\)\n\{\n {2}return a;\n\}\n```/,
    );
    const py = document(
      'i.py.txt',
      '@cached\ndef total(\n    items,\n):\n    a = 1\n\n    return a\n\nx = total([])\n',
    );
    const python = '@cached\ndef total(\n    items,\n):\n    a = 1\n\n    return a';
    assert.ok((await ask('total', [py])).text.includes(`\`\`\`py\n${python}\n\`\`\``));
    const go = document(
      's.go.txt',
      '// Serve answers.\nfunc (h *Handler) Serve(w Writer) {\n\tw.Write()\n}\n',
    );
    assert.match(
      (await ask('Serve', [go])).text,
      /```go\n\/\/ Serve answers\.\nfunc .*\n\tw\.Write\(\)\n\}\n```/,
    );
  });

  it('finds words in camelCase, in the plural and with a typo', async () => {
    assert.match((await ask('which reader is there?', [code])).text, /RecordReader/);
    assert.match((await ask('expense rules', [handbook])).text, /120 €/);
    const slip = await ask('holdays', [handbook]);
    assert.match(slip.text, /Nothing says “holdays” exactly[\s\S]*30 days a year/);
  });

  it('searches only the document that a question names', async () => {
    const { sources } = await ask('what does records.ts say about days or records?', [code, handbook]);
    assert.deepEqual(sources, ['id-records.ts.txt']);
  });

  it('lists its documents when it finds nothing', async () => {
    const { text, sources } = await ask('quantum entanglement?', [code, handbook, slides]);
    assert.match(text, /found nothing about “quantum” or “entanglement”/);
    for (const name of ['records.ts', 'handbook.md', 'slides.pdf']) assert.ok(text.includes(`**${name}**`));
    assert.deepEqual(sources, []);
  });

  it('summarizes with a table of documents and an outline of each', async () => {
    const { text } = await ask('Summarise my documents', [code, handbook, slides]);
    assert.match(text, /\| \*\*records\.ts\*\* \| code, `ts` \| 18 lines \|/);
    assert.match(text, /\| \*\*slides\.pdf\*\* \| not readable here \|/);
    assert.match(text, /- `parse`, line 6/);
    assert.match(text, / {2}- Holidays \(line 5\)/);
    assert.equal(text.includes('not a heading here'), false);
    assert.match(text, /_What does `parse` do\?_/);
    const one = await ask('what is in handbook.md?', [code, handbook]);
    assert.deepEqual(one.sources, ['id-handbook.md']);
  });

  it('reads a .pdf that contains plain text, and names the documents that it can’t read', async () => {
    const { text } = await ask('what does slides.pdf say about budget?', [slides, handbook]);
    assert.match(text, /can’t read \*\*slides\.pdf\*\*/);
    const plain = await ask('budget', [document('plain.pdf', 'The budget is 5 million.')]);
    assert.match(plain.text, /> The budget is 5 million\./);
  });

  it('resolves “it” and “more” from the earlier questions', async () => {
    const history = [{ machine: false, content: 'What does parse do?' }];
    assert.match((await ask('where is it used?', [code], { history })).text, /records\.ts:16/);
    const days = Array.from(
      { length: 8 },
      (_, day) => `## Day ${day}\n\nThe weather on day ${day} was fine.\n`,
    );
    const diary = document('diary.md', days.join('\n'));
    const first = await ask('weather', [diary]);
    assert.match(first.text, /There are 5 more passages: say “more”/);
    const next = await ask('more', [diary], { history: [{ machine: false, content: 'weather' }] });
    assert.match(next.text, /There are 2 more passages/);
    const quoted = (text: string) => text.match(/^> .*$/gm) ?? [];
    assert.equal(new Set([...quoted(first.text), ...quoted(next.text)]).size, 6);
  });

  it('explains a selection from an editor and what it uses', async () => {
    const selection =
      '`app.ts:1-3`\n```ts\nfunction load(line: string) {\n  return parse(line);\n}\n```\nWhat is this?';
    const { text, sources } = await ask(selection, [code]);
    assert.match(text, /has 3 lines and declares `load`/);
    assert.match(text, /uses `parse` from your documents/);
    assert.match(text, /\*\*records\.ts\*\*, lines 5–10/);
    assert.deepEqual(sources, ['id-records.ts.txt']);
    assert.match((await ask(selection)).text, /Upload to Conversation/);
  });

  it('introduces itself and explains how to upload while there are no documents', async () => {
    for (const question of ['hello', 'What is the airspeed of a swallow?']) {
      assert.match((await ask(question)).text, /Explorer[\s\S]*Upload to Conversation/);
    }
    assert.match((await ask('hi!', [code])).text, /given me 1 document/);
  });

  it('answers a newcomer’s questions about Parley', async () => {
    const expectations: [string, RegExp][] = [
      ['what can you do?', /Find and quote/],
      ['how do I upload a file?', /Right-click a file/],
      ['Where is my API key stored?', /secret storage/],
      ['how can I stop a reply', /Escape/],
      ['which keyboard shortcuts are there', /Shift\+Enter/],
      ['how long may a message be? what is the limit', /2,000 characters/],
      ['can I use a local model', /PARLEY_OPENAI_URL/],
    ];
    for (const [question, answer] of expectations) assert.match((await ask(question)).text, answer, question);
    assert.match((await ask('anything new?', [], { webSearch: true })).text, /can’t search the web/);
  });

  it('shows samples of formatted replies', async () => {
    const sample = async (question: string) => (await ask(question, [code])).text;
    for (const part of [/^# /m, /^- \[x\]/m, /^\d\. /m, /^\| --- \|/m, /^```ts$/m, /^> /m, /~~/]) {
      assert.match(await sample('show me markdown'), part);
    }
    assert.match(await sample('Please show me some code!'), /```sh/);
    assert.match(await sample('show me a table'), /\| --- \|/);
    assert.ok(splitWords(await sample('show me a long reply')).length > 1500);
  });

  it('quotes in a fence that the quoted text can’t close', async () => {
    const tricky = document(
      'doc.py.txt',
      'def sample():\n    return """\n    ```\n    nested\n    ```\n    """\n',
    );
    assert.match((await ask('what does sample do', [tricky])).text, /^````py\n[\s\S]*\n````$/m);
  });

  it('answers any question about any document', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('a.txt', 'a.ts.txt', 'a.md', 'Dockerfile.txt', 'a.pdf'),
        async (question, bytes, name) => {
          assert.ok((await ask(question, [document(name, Buffer.from(bytes)), code])).text.length > 0);
        },
      ),
      cases(60),
    );
  });

  it('answers about a large document in linear time', async () => {
    await assertLinear(async (size) => {
      const big = document('big.ts.txt', source.repeat(size));
      assert.match((await ask('what does readAll do', [big])).text, /readAll/);
    }, 300);
  });

  it('splits a reply into words that join to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        assert.equal(splitWords(text).join(''), text);
      }),
    );
  });
});
