import assert from 'node:assert/strict';
import { Capabilities } from '../../../src/chat/remote/capabilities';
import { listMessages } from '../../../src/chat/remote/messageList';
import type { Service } from '../../../src/chat/remote/service';
import { ServiceError } from '../../../src/client/serviceError';

type ListMessages = Service['client']['listMessages'];

const PAGE = { items: [] };

describe('listMessages', () => {
  /** Creates a service that answers with statuses in this order, 200 with an empty page; records its requests. */
  function createService(...answers: readonly (number | Error)[]) {
    const queries: Parameters<ListMessages>[0][] = [];
    const client: Pick<Service['client'], 'listMessages'> = {
      async listMessages(query) {
        const answer = answers[queries.length] ?? 200;
        queries.push(query);
        if (answer === 200) return PAGE;
        throw typeof answer === 'number'
          ? new ServiceError('service', {
              operation: 'GET /messages',
              message: '',
              maySend: true,
              status: answer,
            })
          : answer;
      },
    };
    const capabilities = new Capabilities();
    const service: Service = { baseUrl: '', client: client as Service['client'], capabilities };
    const list = (page?: number) =>
      listMessages(service, { conversationId: 'c', page }, new AbortController().signal);
    return { list, queries, capabilities };
  }

  it('treats a 404 for a page after the first as an empty page', async () => {
    assert.deepEqual(await createService(404).list(2), { items: [] });
    for (const page of [1, undefined]) await assert.rejects(createService(404).list(page), { status: 404 });
    await assert.rejects(createService(500).list(2), { status: 500 });
    const other = Object.assign(new Error('Not of the service'), { status: 404 });
    await assert.rejects(createService(other).list(2), other);
  });

  it('asks for usage until the service refuses it', async () => {
    for (const status of [400, 422]) {
      const { list, queries } = createService(200, status);
      for (let count = 0; count < 3; count++) assert.equal(await list(3), PAGE);
      assert.deepEqual(
        queries.map(({ page, withUsage }) => [page, withUsage]),
        [
          [3, true],
          [3, true],
          [3, undefined],
          [3, undefined],
        ],
      );
    }
  });

  it('asks for usage again if the request without it fails too, or after another failure', async () => {
    const refused = createService(422, 422);
    await assert.rejects(refused.list(), { status: 422 });
    const failed = createService(500);
    await assert.rejects(failed.list(), { status: 500 });
    assert.equal(failed.queries.length, 1);
    const other = createService(Object.assign(new Error('Not of the service'), { status: 400 }));
    await assert.rejects(other.list(), /Not of the service/);
    assert.equal(other.queries.length, 1);
    for (const { capabilities } of [refused, failed, other]) assert.ok(capabilities.has('usage'));
  });
});
