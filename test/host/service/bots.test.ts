import assert from 'node:assert/strict';
import { setBaseUrl, setDefaultBotId } from '../../../src/host/base/settings';
import { Bots } from '../../../src/host/service/bots';
import { ServiceList } from '../../../src/host/service/serviceList';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { demoBots } from '../../service/demo/demoBots';
import { MemoryState } from '../support/memory';

describe('Bots', () => {
  let fixture: ChatFixture;
  let memory: MemoryState;
  let bots: Bots;
  let serviceList: ServiceList;
  const questions = () => fixture.service.requests.filter(({ path }) => /\/bots(\?|$)/.test(path)).length;

  beforeEach(async () => {
    fixture = await startChat({ bots: demoBots });
    await setBaseUrl(fixture.service.baseUrl);
    await setDefaultBotId('guide');
    serviceList = new ServiceList();
    memory = new MemoryState();
    bots = new Bots(memory, fixture.connect, serviceList);
  });
  afterEach(async () => {
    bots.dispose();
    serviceList.dispose();
    await fixture.close();
    await setBaseUrl('');
    await setDefaultBotId('');
  });

  it('request the name of the default bot, fire a change, and store it for the next start', async () => {
    let changes = 0;
    bots.onDidChange(() => changes++);
    assert.deepEqual(bots.getDefault(), { id: 'guide', name: 'guide', baseUrl: fixture.service.baseUrl });
    await bots.fetchBots();
    assert.deepEqual(bots.getDefault(), { id: 'guide', name: 'Guide', baseUrl: fixture.service.baseUrl });
    assert.equal(changes, 1);
    const next = new Bots(memory, fixture.connect, serviceList);
    assert.deepEqual(next.getDefault(), { id: 'guide', name: 'Guide', baseUrl: fixture.service.baseUrl });
    next.dispose();
  });

  it('are requested once per session, and again for a default bot without a known name', async () => {
    await bots.fetchBots();
    await bots.fetchBots();
    assert.equal(questions(), 1);
    await setDefaultBotId('unheard-of');
    await bots.fetchBots();
    await bots.fetchBots();
    assert.equal(questions(), 2);
    assert.deepEqual(bots.getDefault(), {
      id: 'unheard-of',
      name: 'unheard-of',
      baseUrl: fixture.service.baseUrl,
    });
  });

  it('are requested once there is a key', async () => {
    fixture.useKey(undefined);
    await bots.fetchBots();
    assert.equal(questions(), 0);
    fixture.useKey(fixture.service.key);
    await bots.fetchBots();
    assert.equal(bots.getDefault()?.name, 'Guide');
  });

  it('are requested if the key is set while another refresh finds none', async () => {
    fixture.useKey(undefined);
    const without = bots.fetchBots();
    // It has looked for the key by then.
    await new Promise(process.nextTick);
    fixture.useKey(fixture.service.key);
    await Promise.all([bots.fetchBots(), without]);
    assert.equal(bots.getDefault()?.name, 'Guide');
  });

  it('keep the last known names if the service fails or can’t list its bots', async () => {
    await bots.remember([{ id: 'guide', name: 'Old Guide' }]);
    for (const status of [500, 404]) {
      fixture.service.inject({ name: 'status', on: 'GET /bots', status });
      await new Bots(memory, fixture.connect, serviceList).fetchBots();
      assert.equal(bots.getDefault()?.name, 'Old Guide');
    }
    assert.deepEqual(bots.withName({ id: 'guide', name: 'guide' }), { id: 'guide', name: 'Old Guide' });
  });

  it('store at most 5,000 names, the newest', async () => {
    const createBots = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}`, name: `Bot ${index}` }));
    await bots.remember(createBots('a', 3000));
    await bots.remember(createBots('b', 4000));
    const isKnown = (id: string) => bots.named(id).name !== id;
    assert.deepEqual(['a1999', 'a2000', 'b0', 'b3999'].map(isKnown), [false, true, true, true]);
    await bots.remember(createBots('c', 6000));
    assert.deepEqual(['b3999', 'c0', 'c4999', 'c5000'].map(isKnown), [false, true, true, false]);
  });
});
