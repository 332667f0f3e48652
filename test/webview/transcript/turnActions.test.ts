import assert from 'node:assert/strict';
import { describePanel } from '../support/panel';
import { waitForRest } from '../support/scrolling';
import { message, panelState, reply, streaming } from '../support/states';

const markdown = `# Title

Some **bold** and \`code\`.

- one
- two

\`\`\`ts
let a = 1;

let b;
\`\`\`

| a | b |
|---|---|
| 1 | 2 |
`;

describePanel('turns', { width: 600 }, (panel) => {
  it('copy a message as it was typed', async () => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi *you*\n```\ncode\n```')] }));
    await panel.button('Copy Message').press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'copy', text: 'Hi *you*\n```\ncode\n```' }]);
    assert.equal(await panel.page.getByRole('status').innerText(), 'Copied');
  });

  it('copy a reply as the displayed text, without what the page adds, and as its Markdown', async () => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi'), reply('2', markdown)] }));
    await panel.button('Copy Reply').press('Enter');
    await panel.button('Copy as Markdown').press('Enter');
    const [text, source] = await panel.intents();
    assert.deepEqual(source, { type: 'copy', text: markdown });
    assert.equal(text?.type, 'copy');
    const lines = (text?.type === 'copy' ? text.text : '').split('\n').filter((line) => line !== '');
    assert.deepEqual(lines, [
      'Title',
      'Some bold and code.',
      'one',
      'two',
      'let a = 1;',
      'let b;',
      'a\tb',
      '1\t2',
    ]);
  });

  it('copy all of a long reply, including what is out of view, without moving anything', async () => {
    const paragraphs = Array.from({ length: 1000 }, (_, index) => `Paragraph ${index}.`);
    const text = `${paragraphs.join('\n\n')}\n\n\`\`\`ts\nlet a;\n\`\`\``;
    await panel.snapshot(panelState({ turns: [reply('1', text)] }));
    await panel.button('Copy Reply').focus();
    const before = await waitForRest(panel);
    await panel.page.keyboard.press('Enter');
    const copied = await panel.intent('copy');
    assert.deepEqual(copied.text.split(/\n+/), [...paragraphs, 'let a;']);
    assert.deepEqual(await waitForRest(panel), before);
  });

  it("copies a selection across a code block without its toolbar's text", async () => {
    await panel.snapshot(panelState({ turns: [reply('1', 'one\n\n```ts\ntwo\n```\n\nthree')] }));
    const selected = await panel.page.locator('.markdown').evaluate((body) => {
      document.getSelection()?.selectAllChildren(body);
      return `${document.getSelection()}`;
    });
    assert.deepEqual(selected.split(/\n+/), ['one', 'two', 'three']);
  });

  it('has nothing to copy while a reply streams or if none arrived', async () => {
    await panel.snapshot(panelState({ turns: [reply('1', '', { ending: 'failed' }), streaming('2', 'So')] }));
    assert.equal(await panel.button('Copy Reply').count(), 0);
    await panel.change({ type: 'chunk', turnId: '2', text: ' far' });
    await panel.change({ type: 'ended', turnId: '2', ending: 'stopped' });
    await panel.button('Copy as Markdown').press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'copy', text: 'So far' }]);
  });

  it('shows the actions of a turn only on hover and focus', async () => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi'), reply('2', 'Hello')] }));
    const opacity = () =>
      panel.page.locator('.turn-actions').evaluateAll((all) => all.map((it) => getComputedStyle(it).opacity));
    await panel.message.hover();
    assert.deepEqual(await opacity(), ['0', '0']);
    await panel.page.getByText('Hello').hover();
    assert.deepEqual(await opacity(), ['0', '1']);
    await panel.message.hover();
    await panel.button('Copy Message').focus();
    assert.deepEqual(await opacity(), ['1', '0']);
  });

  it('adds the icons of the actions with the first hover or focus', async () => {
    await panel.message.hover();
    await panel.snapshot(
      panelState({
        turns: [message('1', 'Hi'), reply('2', 'Hello'), message('3', 'Bye'), reply('4', 'Well')],
      }),
    );
    const icons = () =>
      panel.page
        .locator('.turn-actions')
        .evaluateAll((all) => all.map((it) => it.querySelectorAll('svg').length));
    assert.deepEqual(await icons(), [0, 0, 0, 0]);
    await panel.page.getByText('Hello').hover();
    await panel.button('Copy Message').first().focus();
    await panel.page.locator('[data-turn="3"].turn').focus();
    assert.deepEqual(await icons(), [4, 4, 4, 0]);
    await panel.message.hover();
    assert.deepEqual(await icons(), [4, 4, 4, 0]);
  });

  it('shows the time in short and in full', async () => {
    const now = Date.now();
    await panel.snapshot(
      panelState({
        turns: [{ ...message('1', 'Hi'), at: now }, reply('2', 'Hello', { at: now - 400 * 86_400_000 })],
      }),
    );
    const times = await panel.page
      .locator('time')
      .evaluateAll((all) =>
        all.map((it) => [it.getAttribute('datetime'), it.textContent, it.getAttribute('title')]),
      );
    assert.deepEqual(
      times.map(([datetime]) => datetime),
      [now, now - 400 * 86_400_000].map((at) => new Date(at).toISOString()),
    );
    assert.match(times[0]?.[1] ?? '', /^\d+:\d\d\s[AP]M$/);
    assert.match(times[1]?.[1] ?? '', /^\w{3} \d+, \d{4}, \d+:\d\d\s[AP]M$/);
    for (const [, , title] of times)
      assert.match(title ?? '', /^\w+day, \w+ \d+, \d{4} at \d+:\d\d:\d\d\s[AP]M$/);
  });
});
