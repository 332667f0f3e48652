import assert from 'node:assert/strict';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Server } from 'node:net';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { createSelfSignedCertificate } from '../../client/support/certificate';
import { CLOSED_PORT, listen, stopServers } from '../../client/support/servers';
import { setSetting } from '../support/setSetting';
import { ask, countMessagesSent, getFailureText, QUESTION, retry, type ShownReply } from '../support/shown';

describe('A failed connection to the service', () => {
  /** The texts of failures name the host of the setting. */
  const setServiceUrl = (url: string | undefined) => setSetting('parley.baseUrl', url);

  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat();
  });
  afterEach(async () => {
    await fixture.close();
    await stopServers();
  });
  after(() => setServiceUrl(undefined));

  /** Sends a message to an unreachable service, checks the reason, and retries once it is reachable. */
  async function askUnreachable(baseUrl: string, reason: string): Promise<void> {
    fixture.useBaseUrl(baseUrl);
    await setServiceUrl(baseUrl);
    const failed = await ask(fixture);
    assert.equal(failed.reply.ending, 'failed');
    assert.equal(failed.sentence, getFailureText('unreachable', { reason }));
    assert.ok(failed.sentence.includes(new URL(baseUrl).host), failed.sentence);
    assert.deepEqual(failed.actions, ['retry', 'setBaseUrl']);
    assert.deepEqual(failed.said, [QUESTION]);
    await retryReachable(failed);
  }

  async function retryReachable(failed: ShownReply): Promise<void> {
    fixture.useBaseUrl(fixture.service.baseUrl);
    const again = await retry(fixture, failed);
    assert.deepEqual([again.reply.ending, again.reply.text, again.said], ['complete', QUESTION, [QUESTION]]);
    assert.equal(countMessagesSent(fixture), 1);
  }

  async function port(server: Server): Promise<number> {
    return (await listen(server, [])).port;
  }

  it('is reported if the host name can’t be resolved [fault 1]', () =>
    askUnreachable('https://nowhere.invalid/api/v1', 'dns'));

  it('is reported if the connection is refused [fault 2]', async () =>
    askUnreachable(`http://127.0.0.1:${CLOSED_PORT}/api/v1`, 'refused'));

  it('is reported if the certificate isn’t trusted, and nothing is sent [fault 3]', async () => {
    let asked = 0;
    const server = https.createServer(createSelfSignedCertificate(), (_request, response) => {
      asked++;
      response.end();
    });
    await askUnreachable(`https://127.0.0.1:${await port(server)}/api/v1`, 'certificate');
    assert.equal(asked, 0);
  });

  it('is reported if the proxy refuses [fault 4]', async () => {
    const asked: string[] = [];
    const proxy = http.createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(407, { 'Proxy-Authenticate': 'Basic' }).end();
    });
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
    });
    await setSetting('http.proxy', `http://127.0.0.1:${await port(proxy)}`);
    try {
      await askUnreachable('https://service.invalid/api/v1', 'proxy');
      assert.ok(asked.includes('service.invalid:443'), String(asked));
    } finally {
      await setSetting('http.proxy', undefined);
    }
  });
});
