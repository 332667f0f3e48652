import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { createSelfSignedCertificate } from '../../client/support/certificate';
import { KEY } from '../../client/support/clients';
import { listen, stopServers } from '../../client/support/servers';
import { startProxy, type TestProxy } from '../support/proxy';
import { setSetting } from '../support/setSetting';
import { ask, getFailureText, QUESTION } from '../support/shown';

/** A host that only the proxy can reach, and one without a trusted certificate. */
const HOST = 'service.invalid';
const UNTRUSTED_HOST = 'stranger.invalid';

/** Created by `hostTests.ts`, which adds the certificate to NODE_EXTRA_CA_CERTS as an administrator would. */
const trusted = (): { key: string; cert: string } => JSON.parse(process.env.PARLEY_TEST_CERTIFICATE ?? '{}');

describe('A proxy between VS Code and the service', () => {
  let fixture: ChatFixture;
  let port: number;
  let proxy: TestProxy;

  beforeEach(async () => {
    // Streams come from the API's origin, the only one that the proxy can reach.
    fixture = await startChat({ streamOnApi: true });
    port = await startTls(trusted());
  });
  afterEach(async () => {
    await useProxy(undefined);
    await fixture.close();
    await stopServers();
  });

  /** Serves the local service over TLS, with the host name for the proxy. */
  async function startTls(certificate: { key: string; cert: string }): Promise<number> {
    const { apiOrigin } = fixture.service;
    const server = https.createServer(certificate, async (request, response) => {
      const { method = 'GET', url = '/', headers } = request;
      const forwarded = http.request(new URL(url, apiOrigin), { method, headers });
      request.pipe(forwarded);
      const [answer] = (await once(forwarded, 'response')) as [http.IncomingMessage];
      let text = '';
      for await (const bytes of answer) text += bytes;
      // Stream URLs contain the service's origin.
      const { 'content-type': type } = answer.headers;
      response.writeHead(answer.statusCode ?? 500, type === undefined ? {} : { 'Content-Type': type });
      response.end(text.replaceAll(apiOrigin, `https://${HOST}`));
    });
    server.on('tlsClientError', () => undefined);
    return (await listen(server, [])).port;
  }

  const useProxy = (url: string | undefined) => setSetting('http.proxy', url);

  it('is used for the API and the stream, and can’t read messages or keys', async () => {
    proxy = await startProxy(() => port);
    await useProxy(proxy.url);
    fixture.useBaseUrl(`https://${HOST}/api/v1`);
    const { reply, sentence } = await ask(fixture);
    assert.deepEqual([reply.ending, reply.text], ['complete', QUESTION], sentence);
    assert.ok(
      proxy.asked.length >= 3 && proxy.asked.every((name) => name === `${HOST}:443`),
      `${proxy.asked}`,
    );
    for (const secret of [fixture.service.key, QUESTION, KEY]) assert.ok(!proxy.seen().includes(secret));
  });

  it('gets the user name and password from its setting', async () => {
    proxy = await startProxy(() => port, 'me:secret');
    await useProxy(proxy.url);
    fixture.useBaseUrl(`https://${HOST}/api/v1`);
    const { reply, sentence } = await ask(fixture);
    assert.deepEqual([reply.ending, reply.text], ['complete', QUESTION], sentence);
  });

  it('that rejects the password is reported without the password, and the message is kept [fault 4]', async () => {
    proxy = await startProxy(() => port, 'me:secret');
    await useProxy(proxy.url.replace('secret', 'wrong'));
    fixture.useBaseUrl(`https://${HOST}/api/v1`);
    const { reply, sentence, said } = await ask(fixture);
    assert.equal(reply.ending, 'failed');
    assert.equal(sentence, getFailureText('unreachable', { reason: 'proxy' }));
    assert.deepEqual(said, [QUESTION]);
    assert.equal(fixture.service.requests.length, 0);
  });

  it('doesn’t make an untrusted certificate accepted, and nothing is sent [fault 3]', async () => {
    port = await startTls(createSelfSignedCertificate(UNTRUSTED_HOST));
    proxy = await startProxy(() => port);
    await useProxy(proxy.url);
    fixture.useBaseUrl(`https://${UNTRUSTED_HOST}/api/v1`);
    // The setting applies to VS Code's own requests, not to requests with an API key.
    try {
      for (const strict of [true, false]) {
        await setSetting('http.proxyStrictSSL', strict);
        const { sentence } = await ask(fixture);
        assert.equal(sentence, getFailureText('unreachable', { reason: 'certificate' }));
      }
    } finally {
      await setSetting('http.proxyStrictSSL', undefined);
    }
    assert.equal(fixture.service.requests.length, 0);
  });

  it('doesn’t make a certificate for another host accepted', async () => {
    proxy = await startProxy(() => port);
    await useProxy(proxy.url);
    fixture.useBaseUrl(`https://${UNTRUSTED_HOST}/api/v1`);
    const { sentence } = await ask(fixture);
    assert.equal(sentence, getFailureText('unreachable', { reason: 'certificate' }));
  });
});
