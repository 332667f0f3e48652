import assert from 'node:assert/strict';
import { type LocalService, startLocalService } from '../service/localService';
import { killInReply } from './support/killed';
import { Person } from './support/person';
import { patience, startWorkbench, type Workbench } from './support/workbench';

describe('An extension host that is killed in the middle of a reply', function () {
  this.timeout(4 * patience);
  let service: LocalService;
  let workbench: Workbench;
  let person: Person;

  before(async () => {
    service = await startLocalService();
    workbench = await startWorkbench({ settings: { 'parley.baseUrl': service.baseUrl } });
    person = new Person(workbench);
    await person.setUp(service, 'Echo');
  });
  after(async () => {
    await workbench?.stop();
    await service?.close();
  });

  it('in the moment in which the message reaches the service loses nothing of it', async () => {
    const { message, messageSaved } = await killInReply(workbench, service, person);
    assert.ok(messageSaved, 'the message is on the disk');
    await workbench.reload();
    await person.seesTitle(message);
    assert.equal((await person.turns())[0], message);
    await leftAlone();
  });

  for (const delay of [Math.random() * 700, 700 + Math.random() * 1500]) {
    it(`loses no message, and a second of the reply at most: after ${Math.round(delay)} ms`, async () => {
      const killed = await killInReply(workbench, service, person, delay);
      assert.ok(killed.messageSaved, 'the message is on the disk');
      assert.ok(killed.sent.startsWith(killed.saved), 'the reply is on the disk as it was sent');
      assert.ok(killed.behind < 1000, `${killed.behind} ms behind`);
      await workbench.reload();
      await leftAlone();
      const turns = await person.turns();
      assert.deepEqual(turns.slice(-2), [killed.message, killed.saved.trim()]);
      const reply = await person.lastTurn('Echo');
      await reply.getByText('The reply was interrupted').waitFor();
      await person.say('still there?');
      const answered = (await workbench.panel())
        .locator('[aria-busy=false]')
        .filter({ hasText: 'still there?' });
      await answered.last().waitFor();
    });
  }

  /** The lease of the killed one lasts for some seconds. */
  async function leftAlone(): Promise<void> {
    const panel = await workbench.panel();
    await panel.getByRole('article').first().waitFor();
    await panel.getByText('Another window is writing').waitFor({ state: 'detached' });
  }

  it('is replaced by VS Code, and the conversation comes back without a reload [fault 40]', async () => {
    const before = await workbench.panel();
    const killed = await killInReply(workbench, service, person, 500);
    assert.ok(killed.messageSaved);
    while (!before.isDetached()) await workbench.page.waitForTimeout(20);
    const reply = await person.lastTurn('Echo');
    await reply.getByText('The reply was interrupted').waitFor();
    assert.deepEqual((await person.turns()).slice(-2), [killed.message, killed.saved.trim()]);
  });
});
