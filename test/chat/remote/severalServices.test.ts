import assert from 'node:assert/strict';
import { demoBots } from '../../service/demo/demoBots';
import { type LocalService, startLocalService } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';

describe('Conversations of several services', () => {
  let fixture: ChatFixture;
  let other: LocalService;
  beforeEach(async () => {
    // The first one has everything; the other one lists nothing.
    fixture = await startChat({ bots: demoBots });
    other = await startLocalService({ bots: demoBots, profile: 'minimal' });
    fixture.addService(other);
  });
  afterEach(async () => {
    await fixture.close();
    await other.close();
  });

  const createOn = ({ baseUrl }: Pick<LocalService, 'baseUrl'>) =>
    fixture.chat.createConversation({ id: 'echo', name: 'Echo', baseUrl }).id;
  const say = async (id: string, text: string) => {
    assert.equal(await fixture.replies.send(id, text), 'sent');
    return fixture.ended(id);
  };
  const getKeys = (service: LocalService) => [
    ...new Set(
      service.requests.flatMap(({ origin, headers }) =>
        origin === 'api' ? (headers.authorization ?? []) : [],
      ),
    ),
  ];
  const getTexts = (service: LocalService) =>
    [...service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));

  it('each stream from their own service, with its key only, whichever is the first', async () => {
    const [here, there] = [createOn(fixture.service), createOn(other)];
    assert.equal((await say(here, 'Hi first')).ending, 'complete');
    assert.equal((await say(there, 'Hi other')).ending, 'complete');
    // The other one becomes the first.
    fixture.addService(fixture.service);
    fixture.useBaseUrl(other.baseUrl);
    assert.equal((await say(here, 'Again first')).ending, 'complete');
    assert.equal((await say(there, 'Again other')).ending, 'complete');
    assert.deepEqual(getTexts(fixture.service), ['Hi first', 'Again first']);
    assert.deepEqual(getTexts(other), ['Hi other', 'Again other']);
    assert.deepEqual(getKeys(fixture.service), [`Bearer ${fixture.service.key}`]);
    assert.deepEqual(getKeys(other), [`Bearer ${other.key}`]);
    assert.deepEqual([fixture.service.conversations.size, other.conversations.size], [1, 1]);
  });

  it('upload to their own service', async () => {
    const there = createOn(other);
    const bytes = new TextEncoder().encode('Moss');
    const blob = new Blob([bytes]);
    const opened = {
      body: { size: blob.size, open: () => blob.stream() },
      sha256: async () => 'a',
      unchanged: async () => true,
      close: async () => undefined,
    };
    const file = confirmed({
      name: 'moss.txt',
      contentType: 'text/plain',
      uri: 'file:///moss.txt',
      opened,
      reopen: async () => opened,
    });
    await fixture.uploads.add(there, file)?.finished;
    assert.equal([...other.documents.values()].length, 1);
    assert.equal(fixture.service.requests.length, 0);
  });

  it('stay on their service: one whose service was removed sends nothing until it is added again', async () => {
    const there = createOn(other);
    await say(there, 'Hi');
    fixture.removeService(other);
    const before = [fixture.service.requests.length, other.requests.length];
    const refused = await say(there, 'Are you there?');
    assert.deepEqual(
      [refused.ending, refused.failure?.code, refused.failure?.maySend],
      ['failed', 'serviceMissing', true],
    );
    // What needs no service works.
    await fixture.remote.rename(there, 'Moss');
    await fixture.messageSync.fetchMessages(there);
    assert.equal(fixture.chat.findConversation(there)?.name, 'Moss');
    assert.deepEqual([fixture.service.requests.length, other.requests.length], before);
    fixture.addService(other);
    assert.equal((await say(there, 'Now?')).ending, 'complete');
    assert.deepEqual(getTexts(other), ['Hi', 'Now?']);
    assert.equal(other.conversations.size, 1);
  });

  it('don’t get a bot of another service once they are on theirs', async () => {
    const there = createOn(other);
    const bot = { id: 'guide', name: 'Guide', baseUrl: fixture.service.baseUrl };
    await fixture.remote.changeBot(there, bot);
    assert.deepEqual(fixture.chat.findConversation(there)?.bot, bot);
    await fixture.remote.changeBot(there, { ...bot, baseUrl: other.baseUrl });
    await say(there, 'Hi');
    await assert.rejects(fixture.remote.changeBot(there, bot), /another service/);
    assert.equal(fixture.service.requests.length, 0);
  });

  it('that were stored before Parley knew of several belong to the service that has them', async () => {
    const { id } = fixture.chat.createConversation({ id: 'echo', name: 'Echo' });
    await say(id, 'Hi');
    assert.equal(fixture.chat.getSummary(id)?.bot.baseUrl, fixture.service.baseUrl);
    fixture.addService(fixture.service);
    fixture.useBaseUrl(other.baseUrl);
    assert.equal((await say(id, 'Again')).ending, 'complete');
    assert.deepEqual(getTexts(fixture.service), ['Hi', 'Again']);
    assert.equal(other.requests.length, 0);
  });
});
