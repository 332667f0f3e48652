import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { ServiceClient } from '../../src/client/serviceClient';
import { countTimers, waitForTimers } from '../support/countTimers';
import { collectReply, createClient, getServiceError, TRANSPORTS } from './support/clients';
import { type Answer, CLOSED_PORT, json, startServer, stopServers } from './support/servers';

const MESSAGE = { conversationId: 'c1', content: 'Hi' };

/** A successful response with a body that never ends. */
const endless: Answer = (_request, response) => response.writeHead(200).write('x');

for (const { name, fetch } of TRANSPORTS) {
  describe(`Cleanup after an operation over ${name}`, () => {
    afterEach(stopServers);

    it('closes the connection when the rest of a response is not read', async () => {
      const server = await startServer(endless);
      const { client } = createClient(server.origin, { fetch });
      await client.deleteConversation('c1');
      await server.untilClosed(1);
      const file = { size: 1, open: () => new Blob(['x']) };
      await client.putFile({ url: server.origin, contentType: 'a/b', file });
      await server.untilClosed(2);
    });

    it('closes the connection of a redirect while a stream continues elsewhere', async () => {
      const streams = await startServer((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: {"chunk":"Hi"}\n\n');
      });
      const detour = await startServer((_request, response) => {
        response.writeHead(302, { Location: streams.origin }).write('moved');
      });
      const api = await startServer(json({ data: { stream_url: detour.origin } }));
      for await (const _text of createClient(api.origin, { fetch }).client.streamReply(MESSAGE)) {
        await detour.untilClosed();
        break;
      }
    });

    it("leaves no listener on the caller's signal and no timer", async () => {
      const { signal } = new AbortController();
      const good = await startServer(
        json({ data: [{ id: 'm1' }], stream_url: `http://127.0.0.1:${CLOSED_PORT}` }),
      );
      const bad = await startServer((_request, response) => response.writeHead(500).end());
      const runs: readonly (readonly [origin: string, run: (client: ServiceClient) => Promise<unknown>])[] = [
        [good.origin, (client) => client.listBots({}, signal)],
        [good.origin, (client) => getServiceError(client.getConversation('c1', signal), 'invalidResponse')],
        [good.origin, (client) => collectReply(client.streamReply(MESSAGE, { signal }))],
        [bad.origin, (client) => getServiceError(client.listBots({}, signal), 'service')],
        [
          `http://127.0.0.1:${CLOSED_PORT}`,
          (client) => getServiceError(client.listBots({}, signal), 'unreachable'),
        ],
      ];
      const before = countTimers();
      for (const [origin, run] of runs) {
        await run(createClient(origin, { fetch }).client);
        assert.deepEqual(getEventListeners(signal, 'abort'), []);
      }
      // The connection closes a moment later.
      await waitForTimers(before);
    });
  });
}
