import assert from 'node:assert/strict';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Server } from 'node:net';
import * as vscode from 'vscode';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { createSelfSignedCertificate } from '../../client/support/certificate';
import { CLOSED_PORT, listen, stopServers } from '../../client/support/servers';
import { ask, messagesSent, pointAt, QUESTION, retry, type Shown, sentenceFor } from '../support/shown';

describe('No connection to the service', () => {
  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat();
  });
  afterEach(async () => {
    await pointAt(fixture, '');
    await fixture.close();
    await stopServers();
  });

  /** Asks a service that can't be reached, reads why, and asks again once it can. */
  async function askInVain(baseUrl: string, reason: string): Promise<void> {
    await pointAt(fixture, baseUrl);
    const failed = await ask(fixture);
    assert.equal(failed.reply.ending, 'failed');
    assert.equal(failed.sentence, sentenceFor('unreachable', { reason }));
    assert.ok(failed.sentence.includes(new URL(baseUrl).host), failed.sentence);
    assert.deepEqual(failed.actions, ['retry', 'setBaseUrl']);
    assert.deepEqual(failed.said, [QUESTION]);
    await comesBack(failed);
  }

  async function comesBack(failed: Shown): Promise<void> {
    await pointAt(fixture, fixture.service.baseUrl);
    const again = await retry(fixture, failed);
    assert.deepEqual([again.reply.ending, again.reply.text, again.said], ['complete', QUESTION, [QUESTION]]);
    assert.equal(messagesSent(fixture), 1);
  }

  async function port(server: Server): Promise<number> {
    return (await listen(server, [])).port;
  }

  it('says that the name could not be found [fault 1]', () =>
    askInVain('https://nowhere.invalid/api/v1', 'dns'));

  it('says that nothing answers there [fault 2]', async () =>
    askInVain(`http://127.0.0.1:${CLOSED_PORT}/api/v1`, 'refused'));

  it('says that the certificate is not trusted, and sends nothing [fault 3]', async () => {
    let asked = 0;
    const server = https.createServer(createSelfSignedCertificate(), (_request, response) => {
      asked++;
      response.end();
    });
    await askInVain(`https://127.0.0.1:${await port(server)}/api/v1`, 'certificate');
    assert.equal(asked, 0);
  });

  it('says that the proxy refused [fault 4]', async () => {
    const asked: string[] = [];
    const proxy = http.createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(407, { 'Proxy-Authenticate': 'Basic' }).end();
    });
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
    });
    const settings = vscode.workspace.getConfiguration('http');
    await settings.update(
      'proxy',
      `http://127.0.0.1:${await port(proxy)}`,
      vscode.ConfigurationTarget.Global,
    );
    try {
      await askInVain('https://service.invalid/api/v1', 'proxy');
      assert.ok(asked.includes('service.invalid:443'), String(asked));
    } finally {
      await settings.update('proxy', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
