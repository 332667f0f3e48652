import assert from 'node:assert/strict';
import { describePanel } from '../support/panel';
import { message, panelState, reply, streaming } from '../support/states';

describePanel('sources of a reply', { width: 320 }, (panel) => {
  const list = () => panel.page.getByRole('list', { name: 'Sources' });

  it('are added after its end, and open by keyboard and mouse, identified only by their index', async () => {
    const state = panelState({ turns: [message('1', 'Hi'), streaming('2', 'Text')] });
    await panel.snapshot(state);
    await panel.change({ type: 'ended', turnId: '2', ending: 'complete' });
    const text = await panel.page.locator('.markdown p').elementHandle();
    assert.equal(await list().count(), 0);
    const sources = [
      { name: 'app.ts.txt', opens: 'file' },
      { name: 'Handbook', opens: 'link' },
      { name: 'gone.pdf' },
    ] as const;
    await panel.change({ type: 'turn', turn: reply('2', 'Text', { sources }) });
    assert.deepEqual(await list().getByRole('listitem').allInnerTexts(), [
      'app.ts.txt',
      'Handbook',
      'gone.pdf',
    ]);
    assert.equal(await list().getByRole('button').count(), 2);
    await panel.button('app.ts.txt').press('Enter');
    await panel.button('Handbook').click();
    await list().getByText('gone.pdf').click();
    const conversationId = state.conversation.id;
    assert.deepEqual(await panel.intents(), [
      { type: 'openSource', conversationId, turnId: '2', index: 0 },
      { type: 'openSource', conversationId, turnId: '2', index: 1 },
    ]);
    assert.ok(await text?.evaluate((node) => node.isConnected), "the reply isn't rendered again");
  });

  it("have names that can't reorder text or widen the panel [attack: control characters]", async () => {
    const name = `\u202Egnp.exe\n${'long '.repeat(100)}<b>x</b>`;
    await panel.snapshot(
      panelState({ turns: [reply('1', 'Text', { sources: [{ name, opens: 'link' }, { name }] })] }),
    );
    const names = await list().locator('bdi').allTextContents();
    assert.equal(names.length, 2);
    for (const shown of names) {
      assert.ok(shown.startsWith('\\u{202e}gnp.exe'), shown);
      assert.ok(shown.endsWith('<b>x</b>'), shown);
    }
    const wide = await panel.page.getByRole('log').evaluate((log) => log.scrollWidth - log.clientWidth);
    assert.equal(wide, 0);
  });
});
