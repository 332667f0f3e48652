import assert from 'node:assert/strict';
import type { DocumentTurn, Problem } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { document, message, panelState, reply } from '../support/states';

describePanel('documents above the composer', {}, (panel) => {
  const tray = () => panel.page.getByRole('region', { name: 'Documents' });
  const rows = () => tray().getByRole('row');
  const show = async (...documents: DocumentTurn[]) => {
    const state = panelState({ turns: [message('m', 'Hi'), ...documents, reply('r', 'So')] });
    await panel.snapshot(state);
    await tray().waitFor();
    return state.conversation.id;
  };
  const focused = () =>
    panel.page.evaluate(() => {
      const { activeElement } = window.document;
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent;
    });
  const attached = (id: string, rest: Partial<DocumentTurn> = {}) =>
    document(id, { state: 'attached', name: `${id}.md`, opens: true, ...rest });

  it('show their state from waiting to added, and are shown nowhere else', async () => {
    const states: string[] = [];
    const look = async () => states.push((await rows().innerText()).replace(/\s+/g, ' '));
    await show(document('1'));
    await look();
    for (const rest of [
      { state: 'signing' },
      { state: 'uploading', sent: 1_048_576 },
      { state: 'registering' },
      { state: 'attached', status: 'syncing' },
      { state: 'attached', status: 'synced' },
      { state: 'attached', status: 'failed' },
      { state: 'attached', file: 'changed' },
      { state: 'attached', file: 'gone' },
      { state: 'cancelled' },
    ] as const) {
      await panel.change({ type: 'turn', turn: document('1', rest) });
      await look();
      if (rest.state === 'uploading') {
        const bar = panel.page.getByRole('progressbar', { name: 'Uploading' });
        assert.equal(await bar.evaluate((it) => (it as HTMLProgressElement).position), 0.25);
      }
    }
    assert.deepEqual(states, [
      'handbook.pdf Waiting',
      'handbook.pdf Preparing',
      'handbook.pdf 1 MB of 4 MB',
      'handbook.pdf Adding',
      'handbook.pdf Converting…',
      'handbook.pdf Added',
      'handbook.pdf Conversion failed Upload Again',
      'handbook.pdf Changed since upload Update',
      'handbook.pdf File not found',
      'handbook.pdf Canceled',
    ]);
    assert.equal(await panel.page.getByRole('log').getByText('handbook').count(), 0);
  });

  it('can be canceled, removed, updated and opened', async () => {
    const conversationId = await show(
      document('1', { state: 'uploading', sent: 9 }),
      document('2', { state: 'cancelled' }),
      attached('3', { file: 'changed' }),
    );
    for (const [name, type, turnId] of [
      ['Cancel', 'cancelUpload', '1'],
      ['Remove', 'removeDocument', '2'],
      ['Update', 'updateDocument', '3'],
    ] as const) {
      await panel.button(name).click();
      assert.deepEqual(await panel.intent(type), { type, conversationId, turnId });
    }
    await panel.page.getByRole('button', { name: '3.md' }).click();
    assert.deepEqual(await panel.intent('openDocument'), {
      type: 'openDocument',
      conversationId,
      turnId: '3',
    });
    await panel.button('Update on Save').click();
    const intent = { type: 'updateOnSave', conversationId, turnId: '3', on: true };
    assert.deepEqual(await panel.intent('updateOnSave'), intent);
    await panel.change({ type: 'turn', turn: attached('3', { updateOnSave: true }) });
    assert.equal(await panel.button('Update on Save').getAttribute('aria-pressed'), 'true');
    await panel.button('Update on Save').click();
    assert.deepEqual(await panel.intent('updateOnSave'), { ...intent, on: false });
  });

  it('are excluded from answers and included again, by keyboard too, and say so', async () => {
    const conversationId = await show(attached('1', { focus: 'included' }), attached('2'));
    assert.equal(await panel.button('Exclude from Answers').count(), 1);
    await rows().first().getByRole('button').first().focus();
    for (let count = 0; count < 2; count++) await panel.page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 'Exclude from Answers');
    await panel.page.keyboard.press('Enter');
    const type = 'includeDocument';
    assert.deepEqual(await panel.intent(type), { type, conversationId, turnId: '1', on: false });
    await panel.change({ type: 'turn', turn: attached('1', { focus: 'excluded' }) });
    await panel.page.getByRole('status').getByText('1.md: Added · excluded').waitFor();
    const [excluded, other] = await Promise.all(
      ['1.md Added · excluded', '2.md Added'].map((name) =>
        panel.page
          .getByRole('button', { name, exact: true })
          .locator('.document-name')
          .evaluate((it) => getComputedStyle(it).color),
      ),
    );
    assert.notEqual(excluded, other);
    assert.equal(await focused(), 'Include in Answers');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.intent(type), { type, conversationId, turnId: '1', on: true });
  });

  it("can't be opened without a file", async () => {
    await show(document('1', { state: 'attached' }));
    assert.equal(await panel.button('Update on Save').count(), 0);
    await panel.page.getByRole('button', { name: 'handbook.pdf' }).click({ force: true });
    assert.deepEqual(await panel.intents(), []);
  });

  it('show which step failed, and can be retried or uploaded as text', async () => {
    const problem: Problem = { text: 'Couldn’t upload the file.', actions: ['retry'] };
    const conversationId = await show(document('1', { state: 'failed', problem, offersText: true }));
    assert.equal(await tray().getByRole('alert').innerText(), 'Couldn’t upload the file.');
    await panel.button('Retry').click();
    assert.deepEqual(await panel.intent('retry'), { type: 'retry', conversationId, turnId: '1' });
    await panel.button('Upload as Text').click();
    assert.deepEqual(await panel.intent('retryAsText'), { type: 'retryAsText', conversationId, turnId: '1' });
    await panel.change({ type: 'turn', turn: document('1', { state: 'failed', problem }) });
    assert.equal(await panel.button('Upload as Text').count(), 0);
  });

  it('are collapsed if there are many, except those that failed', async () => {
    await show(
      attached('1'),
      attached('2', { file: 'changed' }),
      attached('3', { status: 'syncing' }),
      document('4', { state: 'uploading', sent: 1 }),
      document('5', { state: 'failed', name: 'bad.md', problem: { text: 'No.', actions: [] } }),
    );
    const toggle = panel.page.getByRole('button', { name: '5 documents' });
    assert.equal(
      (await toggle.innerText()).replace(/\s+/g, ' '),
      '5 documents 1 not added, 1 in progress, 1 converting, 1 changed',
    );
    assert.deepEqual(await rows().locator('.document-name').allInnerTexts(), ['bad.md']);
    await toggle.press('Enter');
    assert.equal(await rows().count(), 5);
    assert.equal(await toggle.getAttribute('aria-expanded'), 'true');
    await toggle.press('Enter');
    assert.equal(await rows().count(), 1);
  });

  it('show only the newer version, unless it fails', async () => {
    await show(attached('1', { name: 'a.md' }), document('2', { name: 'b.md', replaces: '1' }));
    const names = () => rows().locator('.document-name').allInnerTexts();
    assert.deepEqual(await names(), ['b.md']);
    await panel.change({
      type: 'turn',
      turn: document('2', { name: 'b.md', replaces: '1', state: 'failed' }),
    });
    assert.deepEqual(await names(), ['a.md', 'b.md']);
  });

  it('are one Tab stop, with arrow keys within and Escape to the composer', async () => {
    await show(attached('1'), attached('2', { file: 'changed' }), attached('3'));
    await panel.message.focus();
    const { keyboard } = panel.page;
    await keyboard.press('Shift+Tab');
    const seen = [await focused()];
    for (const key of [
      'ArrowDown',
      'ArrowRight',
      'ArrowRight',
      'ArrowLeft',
      'End',
      'ArrowDown',
      'ArrowUp',
      'Home',
    ]) {
      await keyboard.press(key);
      seen.push(await focused());
    }
    const [one, two, three] = ['1.md Added', '2.md Changed since upload', '3.md Added'];
    assert.deepEqual(seen, [one, two, 'Update', 'Update on Save', 'Update', three, three, two, one]);
    await keyboard.press('ArrowDown');
    await keyboard.press('Tab');
    assert.equal(await focused(), 'Message');
    await keyboard.press('Shift+Tab');
    assert.equal(await focused(), two);
    await keyboard.press('Escape');
    assert.equal(await focused(), 'Message');
  });

  it('end with the folder for uploads, which can be changed, by keyboard too, only if there is something to show of it', async () => {
    await show(attached('1'), attached('2'));
    const isShown = async () => (await panel.page.getByRole('button', { name: /folder/i }).count()) > 0;
    assert.equal(await isShown(), false);
    await panel.change({ type: 'uploadFolder', uploadFolder: '' });
    await panel.button('Upload Folder…').click();
    assert.deepEqual(await panel.intent('chooseUploadFolder'), { type: 'chooseUploadFolder' });
    await panel.change({ type: 'uploadFolder', uploadFolder: 'Plans \u202e' });
    const changed = panel.page.getByRole('button', { name: 'Folder: Plans \\u{202e}', exact: true });
    await changed.waitFor();
    assert.equal(await changed.getAttribute('title'), 'Upload Folder…');
    await panel.message.focus();
    const { keyboard } = panel.page;
    for (const key of ['Shift+Tab', 'ArrowDown', 'ArrowDown']) await keyboard.press(key);
    assert.equal(await focused(), 'Folder: Plans \\u{202e}');
    await keyboard.press('Enter');
    assert.deepEqual(await panel.intent('chooseUploadFolder'), { type: 'chooseUploadFolder' });
    await panel.change({ type: 'turn', turn: attached('3') });
    await panel.change({ type: 'turn', turn: document('4', { state: 'failed' }) });
    assert.equal(await rows().count(), 1);
    assert.equal(await isShown(), false);
    await panel.page.getByRole('button', { name: '4 documents' }).click();
    await changed.waitFor();
    await panel.change({ type: 'uploadFolder' });
    assert.equal(await isShown(), false);
  });

  it('are announced politely when their state changes', async () => {
    await show(document('1', { state: 'registering' }));
    const said = async (text: string) =>
      panel.page.getByRole('status').getByText(text, { exact: true }).waitFor({ state: 'attached' });
    await panel.change({ type: 'turn', turn: attached('1') });
    await said('1.md: Added');
    await panel.change({ type: 'turn', turn: attached('1', { file: 'changed' }) });
    await said('1.md: Changed since upload');
  });

  it("get the focus on the host's request even if collapsed, and an announcement is made if there are none", async () => {
    await show(...['1', '2', '3', '4'].map((id) => attached(id)));
    await panel.message.focus();
    await panel.post({ type: 'showDocuments' });
    await panel.page.waitForFunction(() => window.document.activeElement?.closest('.tray-rows'));
    assert.equal(await rows().count(), 4);
    await panel.snapshot(panelState());
    await panel.post({ type: 'showDocuments' });
    await panel.page.getByText('This conversation has no documents.').waitFor({ state: 'attached' });
    assert.equal(await focused(), 'Message');
  });

  it('get the focus even if requested before their script is loaded', async () => {
    await panel.renew();
    const state = panelState({ turns: [attached('1')] });
    await panel.post({ type: 'snapshot', seq: 0, state }, { type: 'showDocuments' });
    await panel.page.waitForFunction(() => window.document.activeElement?.closest('.tray-rows'));
  });

  it('show a file name with hidden characters escaped [attack: file name]', async () => {
    await show(document('1', { name: 'report\u202efdp.exe' }));
    assert.match(await rows().innerText(), /report\\u\{202e\}fdp\.exe/);
  });
});

describePanel('files dropped or pasted on the page', {}, (panel) => {
  let conversationId: string;

  beforeEach(async () => {
    const state = panelState({ turns: [document('1', { name: 'pasted-4.png', state: 'attached' })] });
    conversationId = state.conversation.id;
    await panel.snapshot(state);
    // The script for drops is loaded together with this one.
    await panel.page.getByRole('region', { name: 'Documents' }).waitFor();
  });

  interface Given {
    readonly data?: Record<string, string>;
    readonly files?: readonly { name: string; type: string; text: string }[];
  }

  /** Dispatches an event with the data of VS Code, a desktop or a clipboard. Returns whether the page handled it. */
  const dispatch = (type: string, { data = {}, files = [] }: Given, target = 'body'): Promise<boolean> =>
    panel.page.evaluate(
      ([kind, values, all, on]) => {
        const transfer = new DataTransfer();
        for (const [key, value] of Object.entries(values)) transfer.setData(key, value);
        for (const file of all) transfer.items.add(new File([file.text], file.name, { type: file.type }));
        const init = { bubbles: true, cancelable: true };
        const event =
          kind === 'paste'
            ? new ClipboardEvent(kind, { ...init, clipboardData: transfer })
            : new DragEvent(kind, { ...init, dataTransfer: transfer });
        window.document.querySelector(on)?.dispatchEvent(event);
        return event.defaultPrevented;
      },
      [type, data, files, target] as const,
    );
  const zone = () => panel.page.getByText('Drop to upload to the conversation');
  /** Acts as the host: receives files until the end, and returns the bytes. */
  const receive = async () => {
    const begin = await panel.intent('uploadBegin');
    const { uploadId } = begin;
    let text = '';
    await panel.respond(begin, true);
    const total = begin.files.reduce((sum, { size }) => sum + size, 0);
    while (text.length < total) {
      await panel.waitForIntent('uploadChunk');
      const { request, part } = await panel.page.evaluate(() => {
        const at = window.intents.findIndex(({ type }) => type === 'uploadChunk');
        const [intent] = window.intents.splice(at, 1);
        if (intent?.type !== 'uploadChunk') throw new Error('There is no chunk.');
        const { type, requestId, bytes } = intent;
        return { request: { type, requestId }, part: new TextDecoder().decode(bytes) };
      });
      text += part;
      // The next upload waits until this one has been received.
      assert.deepEqual(await panel.intents(), []);
      await panel.respond(request, true);
    }
    assert.deepEqual(await panel.intent('uploadEnd'), { type: 'uploadEnd', uploadId });
    return { begin, text };
  };

  it('show a drop zone while dragged over, and are uploaded by URI if they come from VS Code', async () => {
    const uris = 'file:///work/a.md\r\nfile:///work/b%20c.md';
    const data = {
      'application/vnd.code.uri-list': uris,
      'text/uri-list': 'file:///other',
      'text/plain': 'a',
    };
    assert.equal(await dispatch('dragover', { data }), true);
    await zone().waitFor();
    await panel.page.getByText('(hold Shift)').waitFor();
    assert.equal(await dispatch('drop', { data }), true);
    await zone().waitFor({ state: 'detached' });
    assert.deepEqual(await panel.intent('dropUris'), {
      type: 'dropUris',
      conversationId,
      uris: ['file:///work/a.md', 'file:///work/b%20c.md'],
    });
  });

  it('hide the drop zone when the pointer leaves', async () => {
    await dispatch('dragover', { data: { 'text/uri-list': 'file:///a' } });
    await zone().waitFor();
    await dispatch('dragleave', {});
    await zone().waitFor({ state: 'detached' });
  });

  it("aren't taken from dragged text or from drags that start on the page", async () => {
    assert.equal(await dispatch('dragover', { data: { 'text/plain': 'words' } }), false);
    assert.equal(await dispatch('drop', { data: { 'text/plain': 'words' } }), false);
    await dispatch('dragstart', {});
    assert.equal(await dispatch('dragover', { data: { 'text/uri-list': 'https://example.com' } }), false);
    await dispatch('dragend', {});
    assert.equal(await zone().count(), 0);
    assert.deepEqual(await panel.intents(), []);
  });

  it('are sent to the host in chunks, one file after the other', async () => {
    const large = 'x'.repeat(1024 * 1024 + 10);
    const files = [
      { name: 'a.txt', type: 'text/plain', text: large },
      { name: 'b.txt', type: 'text/plain', text: 'second' },
    ];
    await dispatch('drop', { files });
    const { begin, text } = await receive();
    assert.deepEqual(begin.files, [
      { name: 'a.txt', size: large.length },
      { name: 'b.txt', size: 6 },
    ]);
    assert.equal(begin.conversationId, conversationId);
    assert.equal(text, `${large}second`);
  });

  it('are sent to the end however long the host takes for a chunk', async () => {
    await panel.page.clock.install();
    await dispatch('drop', { files: [{ name: 'a.txt', type: 'text/plain', text: 'text' }] });
    const begin = await panel.intent('uploadBegin');
    await panel.page.clock.runFor(3_600_000);
    await panel.respond(begin, true);
    await panel.respond(await panel.intent('uploadChunk'), true);
    assert.deepEqual(await panel.intent('uploadEnd'), { type: 'uploadEnd', uploadId: begin.uploadId });
  });

  it('are sent in several uploads if they are more than the host accepts at once', async () => {
    const files = Array.from({ length: 150 }, (_, index) => ({ name: `${index}.txt`, type: '', text: '' }));
    await dispatch('drop', { files });
    const uploads = [await receive(), await receive()].map(({ begin }) => begin.files);
    assert.deepEqual(
      uploads.map(({ length }) => length),
      [100, 50],
    );
    assert.deepEqual(
      uploads.flat().map(({ name }) => name),
      files.map(({ name }) => name),
    );
  });

  it('stop when the host refuses the rest, and the next upload waits for that', async () => {
    const files = [{ name: 'a.txt', type: 'text/plain', text: 'text' }];
    await dispatch('drop', { files });
    await dispatch('drop', { files });
    const begin = await panel.intent('uploadBegin');
    assert.deepEqual(await panel.intents(), []);
    await panel.respond(begin, false);
    assert.notEqual((await receive()).begin.uploadId, begin.uploadId);
  });

  it('are read from the clipboard, with new names for pictures', async () => {
    const files = [
      { name: 'image.png', type: 'image/png', text: 'one' },
      { name: 'report.pdf', type: 'application/pdf', text: 'two' },
    ];
    assert.equal(await dispatch('paste', { files }, '#message'), true);
    const { begin, text } = await receive();
    assert.deepEqual(
      begin.files.map(({ name }) => name),
      ['pasted-5.png', 'report.pdf'],
    );
    assert.equal(text, 'onetwo');
  });

  it("aren't taken from pasted text, even with a picture of it", async () => {
    const data = { 'text/plain': 'words', 'text/html': '<b>words</b>' };
    const files = [{ name: 'image.png', type: 'image/png', text: 'picture' }];
    assert.equal(await dispatch('paste', { data }, '#message'), false);
    assert.equal(await dispatch('paste', { data, files }, '#message'), false);
    assert.deepEqual(await panel.intents(), []);
  });
});
