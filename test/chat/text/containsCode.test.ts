import assert from 'node:assert/strict';
import { containsCode } from '../../../src/chat/text/containsCode';

const block = 'if a:\n\n    b()\nelse:\n    c()\n';

describe('containsCode', () => {
  const replies: [where: string, markdown: string][] = [
    ['a fenced block', `Text\n\n\`\`\`python\n${block}\`\`\`\nMore`],
    ['a block without its end', `~~~\n${block}`],
    ['a list', `1. Item\n\n   \`\`\`\n${indent(block, '   ')}   \`\`\`\n`],
    [
      'a quote',
      `> \`\`\`\n${block.replace(/^(.*)\n/gm, (_, line) => `> ${line}`.trimEnd().concat('\n'))}> \`\`\`\n`,
    ],
    ['an indented block', `Text\n\n${indent(block, '    ')}`],
    ['a reply with other line ends', `\`\`\`\r\n${block.replaceAll('\n', '\r\n')}\`\`\``],
  ];
  for (const [where, markdown] of replies) {
    it(`finds code in ${where}`, () => assert.equal(containsCode(markdown, block), true));
  }

  it('finds code whose last line isn’t complete yet', () => {
    assert.equal(containsCode(`\`\`\`\n${block}`, 'if a:\n\n    b()\nel'), true);
  });

  it('finds code with hidden characters as the page shows them', () => {
    assert.equal(containsCode('```\na\u202eb\0\n```', 'a\\u{202e}b\\u{0}\n'), true);
  });

  it('finds an empty block', () => assert.equal(containsCode('```\n```', ''), true));

  const others: [what: string, code: string][] = [
    ['other text', 'd()'],
    ['the end of a line only', 'a:\n'],
    ['lines in another order', 'else:\n    c()\nif a:\n'],
    ['some of the lines', 'if a:\n\n    b()\n    c()\n'],
    ['a line cut off in the middle', 'if a:\n\n    b\nelse:\n'],
    ['a line indented differently', 'if a:\n\n    b()\nelse:\nc()\n'],
  ];
  for (const [what, code] of others) {
    it(`doesn’t find ${what} [attack: page edits]`, () => {
      for (const [, markdown] of replies) assert.equal(containsCode(markdown, code), false);
    });
  }
});

function indent(text: string, by: string): string {
  return text.replace(/^(?=.)/gm, by);
}
