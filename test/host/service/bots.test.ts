import assert from 'node:assert/strict';
import { setBaseUrl, setDefaultBotId } from '../../../src/host/base/settings';
import { Bots } from '../../../src/host/service/bots';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { MemoryState } from '../support/memory';

describe('Bots', () => {
  let fixture: ChatFixture;
  let memory: MemoryState;
  let bots: Bots;
  const questions = () => fixture.service.requests.filter(({ path }) => /\/bots(\?|$)/.test(path)).length;

  beforeEach(async () => {
    fixture = await startChat();
    await setBaseUrl(fixture.service.baseUrl);
    await setDefaultBotId('guide');
    memory = new MemoryState();
    bots = new Bots(memory, fixture.connect);
  });
  afterEach(async () => {
    bots.dispose();
    await fixture.close();
    await setBaseUrl('');
    await setDefaultBotId('');
  });

  it('learn the name of the default bot, tell it, and know it at the next start', async () => {
    let told = 0;
    bots.onDidChange(() => told++);
    assert.deepEqual(bots.getDefault(), { id: 'guide', name: 'guide' });
    await bots.refresh();
    assert.deepEqual(bots.getDefault(), { id: 'guide', name: 'Guide' });
    assert.equal(told, 1);
    const next = new Bots(memory, fixture.connect);
    assert.deepEqual(next.getDefault(), { id: 'guide', name: 'Guide' });
    next.dispose();
  });

  it('ask once in a session, and again for a default bot whose name is not known', async () => {
    await bots.refresh();
    await bots.refresh();
    assert.equal(questions(), 1);
    await setDefaultBotId('unheard-of');
    await bots.refresh();
    await bots.refresh();
    assert.equal(questions(), 2);
    assert.deepEqual(bots.getDefault(), { id: 'unheard-of', name: 'unheard-of' });
  });

  it('keep the names last seen where the service fails, or lists none', async () => {
    await bots.remember([{ id: 'guide', name: 'Old Guide' }]);
    for (const status of [500, 404]) {
      fixture.service.inject({ name: 'status', on: 'GET /bots', status });
      await new Bots(memory, fixture.connect).refresh();
      assert.equal(bots.getDefault()?.name, 'Old Guide');
    }
    assert.deepEqual(bots.withName({ id: 'guide', name: 'guide' }), { id: 'guide', name: 'Old Guide' });
  });
});
