import assert from 'node:assert/strict';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Server } from 'node:net';
import * as vscode from 'vscode';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { createSelfSignedCertificate } from '../../client/support/certificate';
import { CLOSED_PORT, listen, stopServers } from '../../client/support/servers';
import {
  ask,
  countMessagesSent,
  getFailureText,
  QUESTION,
  retry,
  type ShownReply,
  setServiceUrl,
} from '../support/shown';

describe('A failed connection to the service', () => {
  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat();
  });
  afterEach(async () => {
    await setServiceUrl(fixture, '');
    await fixture.close();
    await stopServers();
  });

  /** Sends a message to an unreachable service, checks the reason, and retries once it is reachable. */
  async function askUnreachable(baseUrl: string, reason: string): Promise<void> {
    await setServiceUrl(fixture, baseUrl);
    const failed = await ask(fixture);
    assert.equal(failed.reply.ending, 'failed');
    assert.equal(failed.sentence, getFailureText('unreachable', { reason }));
    assert.ok(failed.sentence.includes(new URL(baseUrl).host), failed.sentence);
    assert.deepEqual(failed.actions, ['retry', 'setBaseUrl']);
    assert.deepEqual(failed.said, [QUESTION]);
    await retryReachable(failed);
  }

  async function retryReachable(failed: ShownReply): Promise<void> {
    await setServiceUrl(fixture, fixture.service.baseUrl);
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
    const settings = vscode.workspace.getConfiguration('http');
    await settings.update(
      'proxy',
      `http://127.0.0.1:${await port(proxy)}`,
      vscode.ConfigurationTarget.Global,
    );
    try {
      await askUnreachable('https://service.invalid/api/v1', 'proxy');
      assert.ok(asked.includes('service.invalid:443'), String(asked));
    } finally {
      await settings.update('proxy', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
