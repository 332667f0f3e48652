import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { answerPaths } from '../support/files';
import { describePanel, Panel } from '../support/panel';
import { PATIENT_TIMEOUTS } from '../support/patientTimers';
import { panelState, reply, streaming } from '../support/states';

describePanel('toolbar of a code block', { width: 600 }, (panel) => {
  const block = (): Locator => panel.page.locator('.code-block');
  const show = async (text: string, existing: readonly string[] = []) => {
    await panel.snapshot(panelState({ turns: [reply('1', text)] }));
    await answerPaths(panel, existing);
  };
  before(() => panel.page.evaluate(PATIENT_TIMEOUTS));

  const menuContext = async () => JSON.parse((await block().getAttribute('data-vscode-context')) ?? '');

  it("replaces the selection, and creates a file in the block's language", async () => {
    await show('```ts\nlet a;\n```');
    await panel.button('Replace Selection').click();
    await panel.button('New File').click();
    assert.deepEqual(await panel.intents(), [
      { type: 'replaceSelection', text: 'let a;\n' },
      { type: 'newFile', text: 'let a;\n', language: 'ts' },
    ]);
  });

  it('offers the terminal only for shell code', async () => {
    const shells = 'sh bash zsh fish shell shellscript console powershell ps1 pwsh bat cmd'.split(' ');
    const languages = [...shells, 'ts', 'text', 'python'];
    await show(languages.map((language) => `\`\`\`${language}\nls\n\`\`\``).join('\n'));
    const found = await block().evaluateAll((all) =>
      all.map((it) => [
        it.querySelector('.code-language')?.textContent,
        it.querySelector('[aria-label="Run in Terminal"]') !== null,
        JSON.parse((it as HTMLElement).dataset.vscodeContext ?? '').shellCode,
      ]),
    );
    assert.deepEqual(
      found,
      languages.map((language) => [language, shells.includes(language), shells.includes(language)]),
    );
  });

  it('sends commands to the terminal without prompt and output', async () => {
    await show('```console\n$ ls \\\n  -a\nnotes.txt\n$ pwd\n/home\n```');
    await panel.button('Run in Terminal').click();
    assert.deepEqual(await panel.intents(), [{ type: 'runInTerminal', text: 'ls \\\n  -a\npwd' }]);
  });

  it('is shown above code with escaped control characters, for the terminal too [attack: terminal]', async () => {
    await show('```sh\nls\u000f # \u001b[201~\u2028\u0085\u007f\tx\n```');
    const spelt = 'ls\\u{f} # \\u{1b}[201~\\u{2028}\\u{85}\\u{7f}\tx\n';
    assert.equal(await block().locator('code').textContent(), spelt);
    await panel.button('Run in Terminal').click();
    assert.deepEqual(await panel.intents(), [{ type: 'runInTerminal', text: spelt }]);
  });

  it('toggles line wrapping and exposes its state', async () => {
    await show(`\`\`\`\n${'long '.repeat(200)}\n\`\`\``);
    const pre = block().locator('pre');
    const scrolls = () => pre.evaluate((it) => it.scrollWidth > it.clientWidth);
    const wrap = panel.button('Wrap Lines');
    assert.equal(await wrap.getAttribute('aria-pressed'), 'false');
    assert.equal(await scrolls(), true);
    await wrap.press('Enter');
    assert.equal(await wrap.getAttribute('aria-pressed'), 'true');
    assert.equal(await scrolls(), false);
    await wrap.press('Enter');
    assert.equal(await scrolls(), true);
  });

  describe('Apply', () => {
    const code = 'let a;\n';
    const cases: [string, { path: string; lines?: [number, number] }][] = [
      ['```ts src/app.ts\n', { path: 'src/app.ts' }],
      ['```src/app.ts\n', { path: 'src/app.ts' }],
      ['```ts title="src/my app.ts"\n', { path: 'src/my app.ts' }],
      ['```src/app.ts:3-9\n', { path: 'src/app.ts', lines: [3, 9] }],
      ['```ts src/app.ts:3\n', { path: 'src/app.ts', lines: [3, 3] }],
      ['src/app.ts:3-9\n```ts\n', { path: 'src/app.ts', lines: [3, 9] }],
      ['`src/app.ts`\n\n```ts\n', { path: 'src/app.ts' }],
      ['So:\n\n**src/app.ts:2**:\n\n```ts\n', { path: 'src/app.ts', lines: [2, 2] }],
      ['- one\n\n  `app.ts`\n  ```ts\n  ', { path: 'app.ts' }],
    ];
    for (const [opening, file] of cases) {
      it(`offers to review ${JSON.stringify(file)} for ${JSON.stringify(opening)}`, async () => {
        const indent = opening.endsWith('  ') ? '  ' : '';
        await show(`${opening}${code}${indent}\`\`\`\n`, [file.path]);
        await panel.button('Apply').click();
        assert.deepEqual(await panel.intents(), [{ type: 'reviewChange', ...file, text: code }]);
        assert.equal((await menuContext()).namesFile, true);
      });
    }

    it("isn't offered if the file doesn't exist or no file is named", async () => {
      await show('```ts src/gone.ts\nlet a;\n```');
      assert.equal(await panel.button('Apply').count(), 0);
      assert.equal((await menuContext()).namesFile, false);
      for (const opening of [
        '```ts\n',
        '```ts {1,3-4} showLineNumbers\n',
        'See src/app.ts for more, it is there:\n\n```ts\n',
        '```src/app.ts:9-3\n',
        '```src/app.ts:0\n',
        '```/etc/passwd.d/x\n',
        `\`\`\`ts ${'long/'.repeat(300)}x.ts\n`,
      ]) {
        await show(`${opening}let a;\n\`\`\``, ['src/app.ts', 'etc/passwd.d/x']);
        assert.equal(await panel.button('Apply').count(), 0, opening);
      }
    });

    it('is offered only after the reply has ended, so that partial code is never applied', async () => {
      await panel.snapshot(panelState({ turns: [streaming('1')] }));
      await panel.intents();
      await panel.stream('1', '```ts src/late.ts\nlet a;\n');
      assert.deepEqual(await answerPaths(panel, ['src/late.ts']), []);
      await panel.change({ type: 'ended', turnId: '1', ending: 'complete' });
      const request = await panel.intent('checkPaths');
      assert.deepEqual(request.paths, ['src/late.ts']);
      await panel.respond(request, ['src/late.ts']);
      await panel.button('Apply').click();
      assert.equal((await panel.intent('reviewChange')).text, 'let a;\n');
    });
  });

  it('shows the language even if the info string names a file', async () => {
    for (const [info, language] of [
      ['ts', 'ts'],
      ['c++', 'c++'],
      ['src/app.py:3-9', 'py'],
      ['', 'text'],
    ]) {
      await show(`\`\`\`${info}\nx\n\`\`\``);
      assert.equal(await panel.page.locator('.code-language').innerText(), language);
    }
  });

  describe('context menu', () => {
    it("passes VS Code the block's context, and applies the chosen action to the block whose menu was opened last", async () => {
      await show('```sh\n$ one\n```\n\n```ts src/two.ts\ntwo\n```', ['src/two.ts']);
      const contexts = await block().evaluateAll((all) =>
        all.map((it) => JSON.parse((it as HTMLElement).dataset.vscodeContext ?? '')),
      );
      const section = { webviewSection: 'code', preventDefaultContextMenuItems: true };
      assert.deepEqual(contexts, [
        { ...section, shellCode: true, namesFile: false },
        { ...section, shellCode: false, namesFile: true },
      ]);
      await block().nth(0).click({ button: 'right' });
      // By keyboard, the menu is for the focused block.
      await block().nth(1).locator('pre').focus();
      await panel.page.keyboard.press('Shift+F10');
      const chosen = ['copy', 'insertAtCursor', 'replaceSelection', 'newFile', 'reviewChange'] as const;
      for (const action of chosen) await panel.post({ type: 'codeAction', action });
      await panel.post({ type: 'codeAction', action: 'toggleWrap' });
      const text = 'two\n';
      assert.deepEqual(await panel.intents(), [
        { type: 'copy', text },
        { type: 'insertAtCursor', text },
        { type: 'replaceSelection', text },
        { type: 'newFile', text, language: 'ts' },
        { type: 'reviewChange', path: 'src/two.ts', text },
      ]);
      const pressed = await panel.button('Wrap Lines').evaluateAll((all) => all.map((it) => it.ariaPressed));
      assert.deepEqual(pressed, ['false', 'true']);
      await block().nth(0).click({ button: 'right' });
      await panel.post({ type: 'codeAction', action: 'runInTerminal' });
      assert.deepEqual(await panel.intents(), [{ type: 'runInTerminal', text: 'one' }]);
    });

    it('copies the selection in the block', async () => {
      await show('```ts\none\ntwo\n```');
      await block()
        .locator('pre')
        .dblclick({ position: { x: 20, y: 12 } });
      await block().locator('pre').dispatchEvent('contextmenu');
      await panel.post({ type: 'codeAction', action: 'copy' });
      assert.deepEqual(await panel.intents(), [{ type: 'copy', text: 'one' }]);
    });

    it('contains the less common actions in a narrow panel', async () => {
      const narrow = await Panel.show(panelState({ turns: [reply('1', '```sh src/a.sh\nls\n```')] }), {
        width: 300,
      });
      await narrow.respond(await narrow.intent('checkPaths'), ['src/a.sh']);
      const seen = await narrow.page
        .locator('.code-block')
        .getByRole('button')
        .evaluateAll((all) => all.filter((it) => it.checkVisibility()).map((it) => it.ariaLabel));
      assert.deepEqual(seen, ['Apply', 'Insert at Cursor', 'Copy']);
      await narrow.page.locator('.code-block pre').focus();
      await narrow.page.keyboard.press('Shift+F10');
      await narrow.post({ type: 'codeAction', action: 'runInTerminal' });
      assert.deepEqual(await narrow.intents(), [{ type: 'runInTerminal', text: 'ls\n' }]);
      await narrow.close();
    });
  });
});
