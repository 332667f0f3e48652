import assert from 'node:assert/strict';
import { runAll } from '../support/repetition';
import { waitUntil } from '../support/waitUntil';
import { ChatView, withChat } from './support/chatView';
import { describeInWorkbench } from './support/describeInWorkbench';
import { getActiveTabSelector, vscodeDom } from './support/vscodeDom';

const options = {
  ...withChat,
  bot: 'Guide',
  isolated: true,
  workspaceFiles: {
    'AGENTS.md': '# For agents\n\nAlways rhyme.\n',
    'animals.md': '# Animals\n\nThe zebra sleeps standing up.\n',
    'long.txt': 'All work and no play.\n'.repeat(100),
  },
} as const;

describeInWorkbench('In VS Code’s Chat', options, ({ workbench, service }) => {
  let chat: ChatView;

  /** Returns what the service received: the conversation's id there, and the message. */
  const messages = () =>
    service.requests
      .filter(({ path }) => path.endsWith('/messages/stream'))
      .map(({ body }) => body as { conversation_id: string; content: string });

  before(() => {
    chat = new ChatView(workbench);
  });
  beforeEach(() => chat.startSession());

  /** Closes what a test has opened: Chat attaches the active file to the next message. */
  const closeEditors = () => workbench.runCommand('View: Close All Editors');

  describe('@parley', () => {
    it('streams the reply as Markdown and keeps follow-up messages in the same conversation', async () => {
      const script = service.script();
      const response = await chat.say('@parley What is moss?');
      await script.opened;
      script.chunk('A **small');
      script.chunk(' plant** without');
      await response.locator('strong', { hasText: 'small plant' }).waitFor();
      script.chunk(' roots.');
      script.end();
      assert.match(await chat.waitForText(response), /A small plant without roots\./);
      await chat.ask('And lichen?');
      const [first, second] = messages().slice(-2);
      assert.deepEqual(
        [first?.content, second?.content, second?.conversation_id],
        ['What is moss?', 'And lichen?', first?.conversation_id],
      );
    });

    it('opens the conversation in Parley and answers from a document uploaded there', async () => {
      await chat.ask('@parley Over to the panel');
      await chat.press('Open in Parley');
      const panel = workbench.page
        .frameLocator('iframe.webview[src*="extensionId=parley.parley"]')
        .frameLocator('#active-frame');
      await panel.getByRole('heading', { name: 'Over to the panel' }).waitFor();
      assert.equal(await panel.getByRole('article').count(), 2);
      await workbench.explorer.runFromContextMenu(['animals.md'], 'Upload to Conversation');
      await panel.getByText('Added').last().waitFor();
      await chat.open();
      // Its messages are drawn a moment after the view is shown again.
      await chat.lastResponse.waitFor();
      const reply = await chat.ask('How does the zebra sleep?');
      assert.match(reply, /sleeps standing up[\s\S]*Sources\s+animals\.md/);
      await chat.lastResponse.locator(vscodeDom.chat.anchor, { hasText: 'animals.md' }).click();
      await workbench.page.locator(getActiveTabSelector('animals.md')).waitFor();
      await workbench.editor.waitForFocus();
      await closeEditors();
    });

    it('starts a new conversation after a retry and says so', async () => {
      // Short replies, so that the whole session stays on screen.
      for (const reply of ['One.', 'Two.', 'Three.', 'Four.']) {
        const script = service.script();
        script.chunk(reply);
        script.end();
      }
      await chat.ask('@parley First');
      await chat.ask('Second');
      const before = messages();
      await chat.press('Retry');
      await chat.lastResponse.getByText('This is a new conversation').waitFor();
      await chat.waitForText(chat.lastResponse);
      const [first, , third] = messages().slice(before.length - 2);
      assert.notEqual(third?.conversation_id, first?.conversation_id);
      // Later messages stay in the new conversation.
      assert.doesNotMatch(await chat.ask('Fourth'), /new conversation/);
      assert.equal(messages().at(-1)?.conversation_id, third?.conversation_id);
    });

    describe('with an open file', () => {
      afterEach(closeEditors);

      it('sends what Chat shows as attached, and no editor selection that isn’t attached', async () => {
        await workbench.editor.open('animals.md');
        await workbench.editor.selectLines(3, 3);
        await chat.attachments.filter({ hasText: 'animals.md:3' }).waitFor();
        await chat.ask('@parley What does it do?');
        assert.equal(
          messages().at(-1)?.content,
          'What does it do?\n\nanimals.md:3\n```markdown\nThe zebra sleeps standing up.\n```',
        );
      });
    });

    it('loads no URL that a reply contains', async () => {
      const script = service.script();
      const urls: string[] = [];
      const record = (request: { url(): string }) => urls.push(request.url());
      workbench.page.on('request', record);
      const response = await chat.say('@parley Show me a picture');
      await script.opened;
      script.chunk(
        '![a](https://canary.invalid/a.png) <img src="https://canary.invalid/b.png"> [link](https://canary.invalid) end',
      );
      script.end();
      await response.getByText('end').waitFor();
      await chat.waitForText(response);
      workbench.page.off('request', record);
      assert.deepEqual(
        urls.filter((url) => url.includes('canary')),
        [],
      );
    });
  });

  describe('the tool', () => {
    const call = (input: object) => `parley_askBot ${JSON.stringify(input)}`;

    it('sends nothing when the user declines', async () => {
      const sent = messages().length;
      const response = await chat.say(call({ question: 'What is lichen?' }));
      await chat.waitForConfirmation();
      await chat.press(/^Skip|^Proceed without/);
      await chat.waitForText(response);
      assert.equal(messages().length, sent);
    });

    it('asks for confirmation with the bot and the cost, and gives the agent the reply', async () => {
      const sent = messages().length;
      const response = await chat.say(call({ question: 'What is moss?', bot: 'echo' }));
      const question = await chat.waitForConfirmation();
      assert.match(question, /Ask Echo\?/);
      assert.match(question, /“Echo”\. It counts as one message toward your plan’s limit\./);
      assert.match(question, /What is moss\?/);
      assert.equal(messages().length, sent);
      // After this, VS Code no longer asks in this window.
      await chat.press(/^Allow/);
      assert.match(await chat.waitForText(response), /The tool said:\s+What is moss\?/);
      assert.deepEqual(
        messages()
          .slice(sent)
          .map(({ content }) => content),
        ['What is moss?'],
      );
    });
  });
});

describeInWorkbench(
  'VS Code’s list of MCP servers',
  { ...options, bot: 'Echo' },
  ({ workbench, service }) => {
    it('has Parley’s server, which VS Code starts, and which answers from this window with its six tools', async () => {
      const { page, quickInput } = workbench;
      const row = page
        .locator(vscodeDom.quickInput.widget)
        .locator(vscodeDom.quickInput.row)
        .filter({ hasText: 'parley' });
      const listServers = async () => {
        await workbench.runCommand('MCP: List Servers');
        await row.first().waitFor();
      };
      await listServers();
      await quickInput.pick('parley');
      await quickInput.pick('Start Server');
      // VS Code shows the server's log when it is started by hand.
      const line = page.locator(vscodeDom.editor.anyLine, { hasText: /Discovered\s6\stools/ });
      await line.first().waitFor({ state: 'attached' });
      await waitUntil('the server runs', async () => {
        await listServers();
        const text = await row.first().innerText();
        await page.keyboard.press('Escape');
        return /Running/.test(text);
      });
      assert.ok(service.requests.every(({ path }) => !path.endsWith('/messages/stream')));
    });
  },
);

const inWorker = {
  ...withChat,
  bot: 'Echo',
  host: 'web worker',
  isolated: true,
  settings: {
    ...withChat.settings,
    // VS Code gives a chat participant only the models of its own extension host.
    'remote.extensionKind': { 'parley.parley': ['web'], 'parley-test.chat-model': ['web'] },
  },
} as const;

// The two hosts behave alike here.
if (runAll)
  describeInWorkbench('In VS Code’s Chat', inWorker, ({ workbench, service }) => {
    it('answers from @parley and from the tool', async () => {
      const chat = new ChatView(workbench);
      await chat.startSession();
      assert.match(await chat.ask('@parley Hello from a worker'), /Hello from a worker\s+Open in Parley/);
      await chat.startSession();
      const response = await chat.say('parley_askBot {"question":"Hello from an agent"}');
      await chat.waitForConfirmation();
      await chat.press(/^Allow/);
      assert.match(await chat.waitForText(response), /The tool said:\s+Hello from an agent/);
      const fromWorker = service.requests.filter(({ headers }) => headers.origin !== undefined);
      assert.ok(fromWorker.some(({ path }) => path.endsWith('/messages/stream')));
    });
  });
