import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { findTerminalControl, toTerminalInput } from '../../../src/host/editor/terminalInput';
import { attackLists } from '../../support/attackLists';
import { cases } from '../../support/fuzz';
import { hasShell, Shell } from '../support/shell';
import { until } from '../support/until';

/** All control characters except tabs and line breaks, and the Unicode line separators. */
const CONTROLS = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code))
  .filter((character) => /\p{Cc}/u.test(character) && !/[\t\n\r]/.test(character))
  .concat('\u2028', '\u2029');

describe('Commands for a terminal', () => {
  it('are refused with any control character except tabs and line breaks [attack: terminal]', () => {
    for (const control of CONTROLS) {
      for (const commands of [`ls${control}`, `${control}ls`, `a\nb ${control} c\n`, control]) {
        assert.match(findTerminalControl(commands) ?? '', /^U\+[\dA-F]{4}$/, JSON.stringify(commands));
      }
    }
    assert.equal(findTerminalControl('touch a\u000f'), 'U+000F');
    assert.equal(findTerminalControl('a\tb\r\nc d\né 日本 👩‍💻'), undefined);
  });

  it('are typed if they are one line without tabs, and pasted otherwise', () => {
    assert.deepEqual(toTerminalInput('\n echo "hello"  \n'), { text: 'echo "hello"', paste: false });
    assert.deepEqual(toTerminalInput('a\r\nb\rc\n'), { text: 'a\nb\nc', paste: true });
    assert.deepEqual(toTerminalInput('a\tb'), { text: 'a\tb', paste: true });
  });
});

describe('Bash in a pseudoterminal', () => {
  let shell: Shell;
  before(function () {
    if (hasShell()) return;
    console.log('    Skipped: this machine has no bash, or no `script` for a pseudoterminal.');
    this.skip();
  });
  beforeEach(async () => {
    shell = await Shell.start();
  });
  afterEach(() => shell?.stop());

  /** Sends the input that VS Code would send; returns false if Parley refuses the commands. */
  const put = (commands: string): boolean => {
    if (findTerminalControl(commands) !== undefined) return false;
    const { text, paste } = toTerminalInput(commands);
    // VS Code's paste: line feeds as Return, in the brackets that bash has enabled.
    shell.type(paste ? `\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~` : text);
    return true;
  };

  it('runs a line at Ctrl+O, and lines that break out of a paste, if they aren’t refused', async () => {
    shell.type('touch one\u000f');
    await until(() => shell.has('one'));
    shell.type('\u0015\u001b[200~a\u001b[201~\u0015touch two\r');
    await until(() => shell.has('two'));
  });

  it('runs none of the commands that Parley inserts [attack: terminal]', async () => {
    const attacks = [
      'touch ran',
      'touch ran\n',
      'touch ran\r\ntouch ran\r\n',
      'touch ran\rtouch ran\r',
      'touch ran\n\n\n\n',
      'echo $(touch ran)\t\t',
      '$(touch ran)\t',
      '\t\ttouch ran\t\n\t',
      'touch ran;\nexit\n',
      '[201~touch ran\n',
      'cat <<EOF\n$(touch ran)\nEOF\n!!\n',
      ...CONTROLS.map((control) => `touch ran${control}`),
      ...CONTROLS.map((control) => `touch ran\n${control}touch ran\n`),
      '\u001b[201~\u0015touch ran\r',
    ];
    let accepted = 0;
    for (const attack of attacks) if (put(attack)) accepted++;
    await shell.clear();
    assert.equal(shell.has('ran'), false);
    assert.equal(accepted, 11);
  });

  for (const [name, attacks] of attackLists) {
    it(`runs none of ${name} [attack: terminal]`, async () => {
      // Some of the naughty strings create this file if they are run.
      const proof = '/tmp/blns.fail';
      await rm(proof, { force: true });
      // Clears the line after each one.
      for (const attack of attacks) if (put(`touch ran; ${attack}`)) shell.type('\u0015');
      await shell.clear();
      assert.deepEqual([shell.has('ran'), existsSync(proof)], [false, false]);
    });
  }

  it('runs no part of any text that is not refused [attack: terminal]', async () => {
    const parts = fc.oneof(
      fc.constantFrom(
        'touch ran',
        '$(touch ran)',
        '`touch ran`',
        '\n',
        '\r',
        '\t',
        ';',
        '&',
        '|',
        '!',
        "'",
        '"',
        '\\',
        '~',
        '[',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
      fc.constantFrom(...CONTROLS),
    );
    const text = fc.array(parts, { maxLength: 8 }).map((strings) => strings.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 10, maxLength: 20 }), async (texts) => {
        // Clears the line after each one.
        for (const commands of texts) if (put(commands)) shell.type('\u0015');
        await shell.clear();
        assert.equal(shell.has('ran'), false);
      }),
      cases(30),
    );
  });
});
