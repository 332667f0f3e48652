import assert from 'node:assert/strict';
import { answerPaths } from '../support/files';
import { describePanel } from '../support/panel';
import { PATIENT_TIMEOUTS } from '../support/patientTimers';
import { panelState, reply, streaming } from '../support/states';

describePanel('paths in replies', { width: 600 }, (panel) => {
  beforeEach(async () => {
    await panel.renew();
    await panel.page.evaluate(PATIENT_TIMEOUTS);
    // The search is loaded for the first reply.
    await panel.snapshot(panelState({ turns: [reply('0', 'first/reply.ts')] }));
    await panel.respond(await panel.intent('checkPaths'), []);
  });
  const links = () => panel.page.getByRole('link').allInnerTexts();
  const show = async (text: string, existing: readonly string[]) => {
    await panel.snapshot(panelState({ turns: [reply('1', text)] }));
    return await answerPaths(panel, existing);
  };

  it('become links if the host confirms the file, and open it at the line', async () => {
    const text =
      'See src/app.ts:12, `app.ts` and (./lib/x.py). Also **src/deep/my_file_name.test.ts:3-9**, `src/app.ts:4:2`.\n\n' +
      '- [x] `src/my app/[id].ts` or src/none.ts and/or more\n\n| where |\n|---|\n| docs/a.md |';
    const files = ['src/app.ts', 'app.ts', './lib/x.py', 'src/deep/my_file_name.test.ts', 'docs/a.md'];
    await show(text, files);
    assert.deepEqual(await links(), [
      'src/app.ts:12',
      'app.ts',
      './lib/x.py',
      'src/deep/my_file_name.test.ts:3-9',
      'src/app.ts:4:2',
      'docs/a.md',
    ]);
    assert.match(await panel.page.getByRole('article').innerText(), /See src\/app\.ts:12, app\.ts and \(/);
    await panel.page.getByRole('link', { name: 'src/app.ts:12' }).click();
    await panel.page.getByRole('link', { name: 'app.ts', exact: true }).press('Enter');
    await panel.page.getByRole('link', { name: 'my_file_name' }).click();
    assert.deepEqual(await panel.intents(), [
      { type: 'openFile', path: 'src/app.ts', line: 12 },
      { type: 'openFile', path: 'app.ts' },
      { type: 'openFile', path: 'src/deep/my_file_name.test.ts', line: 3 },
    ]);
  });

  it('stay plain in code blocks and links, and never lead out of the workspace', async () => {
    const text =
      '```ts\nimport "src/app.ts";\n```\n\n    src/app.ts\n\n[src/app.ts](https://example.com/src/app.ts) ' +
      'https://example.com/src/app.ts /etc/passwd.d/x `/etc/x.conf` ~/x.txt `~/x.txt`';
    assert.deepEqual(await show(text, ['src/app.ts', 'etc/passwd.d/x']), []);
    assert.deepEqual(await links(), ['src/app.ts', 'https://example.com/src/app.ts']);
  });

  it('are checked in few requests of at most 200 paths, each path once', async () => {
    const names = Array.from({ length: 450 }, (_, index) => `src/f${index}.ts`);
    const asked = await show(`${names.join(' ')}\n\n${names.join(' ')}`, names);
    assert.deepEqual(
      asked.map(({ length }) => length),
      [200, 200, 50],
    );
    assert.deepEqual(asked.flat(), names);
    assert.equal((await links()).length, 900);
    // Existing files are cached; missing ones may exist by now.
    const again = await show('src/f0.ts src/new.ts', ['src/new.ts']);
    assert.deepEqual(again, [['src/new.ts']]);
    assert.deepEqual(await links(), ['src/f0.ts', 'src/new.ts']);
  });

  it('are checked again after an unanswered request, without the ones that the host would refuse', async () => {
    const takePaths = async () => (await panel.takeAll('checkPaths')).map(({ paths }) => paths);
    await panel.page.clock.install({ time: 0 });
    await panel.page.clock.pauseAt(600_000);
    // Posting ends with a frame, which comes when the clock runs.
    let posted = panel.snapshot(
      panelState({ turns: [reply('1', `src/lost.ts ${'long/'.repeat(250)}a.ts`)] }),
    );
    await panel.page.getByText('src/lost.ts').waitFor();
    await panel.page.clock.runFor(1000);
    await posted;
    assert.deepEqual(await takePaths(), [['src/lost.ts']]);
    posted = panel.snapshot(panelState({ turns: [reply('2', 'src/app.ts')] }));
    await panel.page.getByText('src/app.ts').waitFor();
    await panel.page.clock.runFor(1000);
    await posted;
    assert.deepEqual(await takePaths(), []);
    await panel.page.clock.runFor(10_000);
    await panel.page.clock.resume();
    const request = await panel.intent('checkPaths');
    assert.deepEqual(request.paths, ['src/app.ts']);
    assert.deepEqual(await takePaths(), []);
    await panel.respond(request, ['src/app.ts']);
    await panel.page.getByRole('link', { name: 'src/app.ts' }).waitFor();
  });

  it('are checked again after a failed request, and take no response to another request', async () => {
    await panel.snapshot(panelState({ turns: [reply('1', 'src/lost.ts')] }));
    await panel.fail(await panel.intent('checkPaths'));
    await panel.snapshot(panelState({ turns: [reply('2', 'src/lost.ts')] }));
    const request = await panel.intent('checkPaths');
    await panel.respond({ ...request, requestId: 'another' }, ['src/lost.ts']);
    await panel.respond({ ...request, type: 'listService' }, []);
    await panel.respond(request, ['src/lost.ts']);
    await panel.page.getByRole('link', { name: 'src/lost.ts' }).waitFor();
  });

  it('become links only after the reply has ended', async () => {
    await panel.snapshot(panelState({ turns: [streaming('1')] }));
    await panel.stream('1', 'See src/app.ts now');
    assert.deepEqual(await answerPaths(panel, ['src/app.ts']), []);
    await panel.change({ type: 'ended', turnId: '1', ending: 'stopped' });
    assert.deepEqual(await answerPaths(panel, ['src/app.ts']), [['src/app.ts']]);
    assert.deepEqual(await links(), ['src/app.ts']);
  });

  it('leave a selection alone until it is elsewhere', async () => {
    await panel.snapshot(panelState({ turns: [streaming('1')] }));
    await panel.stream('1', 'See src/app.ts now');
    await panel.page
      .locator('.markdown p')
      .evaluate((paragraph) => document.getSelection()?.selectAllChildren(paragraph));
    const before = await panel.page.evaluateHandle(() => document.querySelector('.markdown p')?.firstChild);
    await panel.change({ type: 'ended', turnId: '1', ending: 'complete' });
    await answerPaths(panel, ['src/app.ts']);
    const state = () =>
      panel.page.evaluate(
        (node) => [`${document.getSelection()}`, node?.isConnected, node?.textContent],
        before,
      );
    assert.deepEqual(await state(), ['See src/app.ts now', true, 'See src/app.ts now']);
    assert.deepEqual(await links(), []);
    await panel.page.evaluate(() => document.getSelection()?.removeAllRanges());
    await panel.page.getByRole('link', { name: 'src/app.ts' }).waitFor();
  });
});
