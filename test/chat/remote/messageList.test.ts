import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Capabilities } from '../../../src/chat/remote/capabilities';
import { listMessages } from '../../../src/chat/remote/messageList';
import type { Service } from '../../../src/chat/remote/service';
import { ServiceClient } from '../../../src/client/serviceClient';
import { createNodeFetch } from '../../../src/host/platform/nodeFetch';

describe('listMessages', () => {
  it('treats a 404 for a page after the first as an empty page', async () => {
    const server = createServer(({ url = '' }, response) => {
      response.statusCode = url.includes('page=2') || url.includes('gone') ? 404 : 200;
      response.end('[{"id":"m1","content":"Hi"}]');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    const client = new ServiceClient({ baseUrl, apiKey: async () => 'key', fetch: createNodeFetch() });
    const service: Service = { baseUrl, client, capabilities: new Capabilities() };
    const list = (conversationId: string, page?: number) =>
      listMessages(service, { conversationId, page }, new AbortController().signal);
    try {
      assert.equal((await list('c')).items.length, 1);
      assert.deepEqual(await list('c', 2), { items: [] });
      await assert.rejects(list('gone'), { status: 404 });
    } finally {
      server.close();
    }
  });
});
