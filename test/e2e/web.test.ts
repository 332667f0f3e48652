import assert from 'node:assert/strict';
import { demoBots } from '../service/demo/demoBots';
import { type LocalService, startLocalService } from '../service/localService';
import { lazy } from '../support/lazy';
import { skipSuite } from '../support/skip';
import { installWebVSCode } from '../vscode/webVSCode';
import { describeMainJob, mainJobFiles, mainJobService } from './support/mainJob';
import { Person } from './support/person';
import {
  readParleyFiles,
  refuseParleyFiles,
  waitUntilEndingStored,
  waitUntilStored,
} from './support/userData';
import { VSCodeWindow } from './support/vscodeWindow';
import { WebWorkbench } from './support/webWorkbench';

describe('The main job in VS Code for the Web without a server', () => {
  const open: { service?: LocalService; workbench?: WebWorkbench; person?: Person } = {};
  const get = <K extends keyof typeof open>(name: K) =>
    lazy(() => {
      const value = open[name];
      if (!value) throw new Error(`The ${name} is there after a hook, before the tests.`);
      return value;
    });
  const [service, workbench, person] = [get('service'), get('workbench'), get('person')];

  before(async function () {
    try {
      await installWebVSCode();
    } catch (error) {
      skipSuite(this, (error as Error).message.split('\n', 1)[0] ?? '');
    }
    open.service = await startLocalService({ bots: demoBots, profile: 'captured', ...mainJobService });
    open.workbench = await WebWorkbench.start({
      settings: { 'parley.baseUrl': open.service.baseUrl, 'parley.botId': 'guide' },
      workspaceFiles: mainJobFiles,
    });
    open.person = new Person(open.workbench);
  });
  after(async () => {
    await open.workbench?.stop();
    await open.service?.close();
  });

  const bot = 'Guide';
  describeMainJob({
    workbench,
    service,
    person,
    isHostInWindow: true,
    profile: 'captured',
    bot,
    toListed: (name) => name.replace(/\.\w+$/, ''),
  });

  it('keeps a reply that the end of the browser cuts off as interrupted, and the draft and the queue', async () => {
    await person.newConversation();
    const reply = service.script();
    await person.say('Tell me half of it');
    await reply.opened;
    reply.chunk('This is one half');
    await person.sees('This is one half');
    await person.say('And the other half?');
    // Shown once it is stored.
    await (await workbench.panel()).locator('.queue').getByText('And the other half?').waitFor();
    await person.type('Nobody has sent this yet');
    for (const text of ['This is one half', 'Nobody has sent this yet'])
      await waitUntilStored(workbench.page, text);
    await workbench.crash();
    await reply.closed;
    await workbench.reopen();
    await setKey();
    await person.open('Tell me half of it');
    assert.deepEqual(await person.turns(), ['Tell me half of it', 'This is one half']);
    await (await person.lastTurn(bot)).getByText('The reply was interrupted').waitFor();
    assert.equal(await (await person.composer()).inputValue(), 'Nobody has sent this yet');
    const panel = await workbench.panel();
    const queue = panel.locator('.queue');
    // By the end of the window, and then by that of the reply.
    await queue.getByText(/^Paused because/).waitFor();
    await queue.getByText('And the other half?').waitFor();
    assert.deepEqual(sent(), ['Tell me half of it']);
    await panel.getByText('Another window is writing').waitFor({ state: 'detached' });
    await person.press('Resume');
    await person.reply(bot, 2);
    assert.deepEqual(sent(), ['Tell me half of it', 'And the other half?']);
  });

  it('has all conversations with their turns and documents after the browser was closed', async () => {
    const turns = await person.turns();
    await waitUntilEndingStored(workbench.page, 'Tell me half of it');
    await workbench.close();
    await workbench.reopen();
    await setKey();
    const names = ['Hello', 'How does the zebra sleep?', 'How does the zebra sleep?', 'Tell me half of it'];
    assert.deepEqual((await person.readListedNames(names.length)).toSorted(), names);
    await person.open('Tell me half of it');
    assert.deepEqual(await person.turns(), turns);
    await person.open('How does the zebra sleep?');
    await (await workbench.panel()).getByRole('row').filter({ hasText: 'animals' }).first().waitFor();
  });

  it('says that a conversation can’t be saved while the browser has no room, and saves all of it afterwards', async () => {
    await person.newConversation();
    const replies = [service.script(), service.script()];
    for (const [index, reply] of replies.entries()) {
      reply.chunk(`This is reply ${index + 1}`);
      reply.end();
    }
    await person.say('While there is room');
    await person.reply(bot);
    await waitUntilStored(workbench.page, 'This is reply 1');
    const makeRoom = await refuseParleyFiles(workbench.page);
    await person.say('Without any room');
    await person.reply(bot, 2);
    const banner = (await workbench.panel()).getByText('This conversation can’t be saved to disk');
    await banner.waitFor();
    assert.ok(!Object.values(await readParleyFiles(workbench.page)).some((text) => /Without any/.test(text)));
    const turns = await person.turns();
    await makeRoom();
    // Saving is tried again every few seconds, so there may be no time to press Try Again.
    await banner.waitFor({ state: 'detached' });
    await workbench.crash();
    await workbench.reopen();
    await setKey();
    await person.open('While there is room');
    assert.deepEqual(await person.turns(), turns);
  });

  it('shows in each of two windows what is said in the other one, and has it after both were closed', async () => {
    const page = await workbench.openWindow();
    const beside = new Person(new VSCodeWindow(() => page));
    await beside.setUp(service, bot);
    await person.newConversation();
    await person.say('From the one window');
    await person.reply(bot);
    await beside.open('From the one window');
    const reply = service.script();
    await beside.say('From the other window');
    await reply.opened;
    reply.chunk('Both can read this');
    await person.sees('Both can read this');
    reply.end();
    await beside.reply(bot, 2);
    await person.reply(bot, 2);
    const turns = await beside.turns();
    assert.deepEqual(await person.turns(), turns);
    await waitUntilEndingStored(workbench.page, 'From the one window');
    await workbench.close();
    await workbench.reopen();
    await setKey();
    await person.open('From the one window');
    assert.deepEqual(await person.turns(), turns);
  });

  /** This build keeps secrets in memory only. */
  const setKey = () => person.setUp(service, bot);

  const sent = () =>
    service.requests.flatMap(({ path, body }) =>
      path.endsWith('/messages/stream') ? [(body as { content: string }).content] : [],
    );

  afterEach(function () {
    try {
      service.reset();
    } catch (error) {
      if (this.currentTest?.state !== 'failed') throw error;
    }
  });
});
