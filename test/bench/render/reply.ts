/** The kinds of measured text: a reply as models write them, and 100 KB of a single block. */
export type ReplyKind = 'mixed' | 'list' | 'table' | 'fence' | 'paragraph';

const WORDS =
  'the host keeps a key and makes every call while the page shows what it posts so that a stream of chunks becomes text lists tables code and links without any flash or jump on a slow machine when people scroll select copy'.split(
    ' ',
  );

/** Creates a deterministic text of this many characters. */
export function reply(kind: ReplyKind, length: number): string {
  const random = generator(length);
  const parts: string[] = [];
  let size = 0;
  if (kind === 'table') parts.push('| Name | Value | Meaning | Since |\n| :-- | --: | :-: | --- |\n');
  if (kind === 'fence') parts.push('```ts\n');
  for (let index = 0; size < length; index++) {
    const part = KINDS[kind](random, index);
    parts.push(part);
    size += part.length;
  }
  return parts.join('').slice(0, length);
}

type Random = (below: number) => number;

const KINDS: Readonly<Record<ReplyKind, (random: Random, index: number) => string>> = {
  mixed: (random, index) => MIX[index % MIX.length]?.(random) ?? '',
  list: (random) => `- ${sentence(random, 14)}\n`,
  table: (random) => `| ${cell(random)} | ${random(9999)} | ${words(random, 5)} | \`${word(random)}\` |\n`,
  fence: (random) => codeLine(random),
  paragraph: (random) => `${sentence(random, 12)} `,
};

/** A round of blocks, roughly in the proportions of a technical answer. */
const MIX: readonly ((random: Random) => string)[] = [
  (random) => `## ${words(random, 4)}\n\n`,
  (random) => `${paragraph(random, 4)}\n\n`,
  (random) => `${paragraph(random, 3)}\n\n`,
  (random) => `${repeat(5, () => `- **${words(random, 2)}:** ${sentence(random, 12)}\n`)}\n`,
  (random) => `${paragraph(random, 2)}\n\n`,
  (random) => `\`\`\`ts\n${repeat(12, () => codeLine(random))}\`\`\`\n\n`,
  (random) => `${paragraph(random, 4)}\n\n`,
  (random) => `### ${words(random, 5)}\n\n`,
  (random) =>
    `${repeat(4, (index) => `${index + 1}. ${sentence(random, 10)}\n   - ${sentence(random, 8)}\n`)}\n`,
  (random) =>
    `| Option | Default | Meaning |\n|---|:-:|---|\n${repeat(5, () => `| \`${word(random)}\` | ${random(100)} | ${words(random, 6)} |\n`)}\n`,
  (random) => `> ${sentence(random, 16)}\n\n`,
  (random) => `${paragraph(random, 5)}\n\n`,
];

function repeat(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('');
}

function paragraph(random: Random, sentences: number): string {
  return repeat(sentences, () => `${sentence(random, 14)} `).trimEnd();
}

/** Creates a sentence with occasional emphasis, code or links. */
function sentence(random: Random, length: number): string {
  const first = word(random);
  const rest = Array.from({ length: length - 1 }, () => {
    const kind = random(24);
    if (kind === 0) return `**${words(random, 2)}**`;
    if (kind === 1) return `\`${word(random)}()\``;
    if (kind === 2) return `*${word(random)}*`;
    if (kind === 3 && random(3) === 0) return `[${words(random, 2)}](https://example.com/${word(random)})`;
    return word(random);
  });
  return `${first.charAt(0).toUpperCase()}${first.slice(1)} ${rest.join(' ')}.`;
}

function codeLine(random: Random): string {
  const indent = '  '.repeat(random(4));
  return `${indent}const ${word(random)}${random(99)} = ${word(random)}(${word(random)}, '${words(random, 2)}');\n`;
}

function cell(random: Random): string {
  return random(4) === 0 ? `**${word(random)}**` : words(random, 2);
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(' ');
}

function word(random: Random): string {
  return WORDS[random(WORDS.length)] ?? '';
}

function generator(seed: number): Random {
  let state = (seed % 2147483646) + 1;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}
