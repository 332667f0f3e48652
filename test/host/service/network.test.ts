import assert from 'node:assert/strict';
import * as diagnostics from 'node:diagnostics_channel';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { inspectFile } from '../../../src/host/files/candidate';
import { GitIgnore } from '../../../src/host/files/gitIgnore';
import { confirmed } from '../../chat/support/confirmed';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';

/** Records all connections of the extension host's process, by Node's diagnostics channels. */
class RecordedNetwork {
  /** `host:port` for a TCP connection, `name host` for a DNS look-up, `udp` for a UDP socket. */
  readonly contacts = new Set<string>();
  readonly #channels = {
    'net.client.socket': (message: unknown) => this.#addSocket((message as { socket: Socket }).socket),
    'udp.socket': () => this.contacts.add('udp'),
  };

  constructor() {
    for (const [name, listen] of Object.entries(this.#channels)) diagnostics.subscribe(name, listen);
  }

  dispose(): void {
    for (const [name, listen] of Object.entries(this.#channels)) diagnostics.unsubscribe(name, listen);
  }

  #addSocket(socket: Socket): void {
    socket.on('lookup', (_error, _address, _family, host: string) => this.contacts.add(`name ${host}`));
    socket.on('connectionAttempt', (ip: string, port: number) => this.contacts.add(`${ip}:${port}`));
  }
}

describe('Network access', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let folder: string;
  let network: RecordedNetwork;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-network-'));
    network = new RecordedNetwork();
    fixture = await startServices();
  });
  afterEach(async () => {
    await fixture.close();
    network.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('is limited to the service’s three origins during chats and uploads [attack: other origin]', async () => {
    const { service, services } = fixture;
    await writeFile(path.join(folder, 'moss.txt'), 'Moss has no roots.');
    await services.bots.fetchBots();
    const { id } = services.chat.createConversation({ id: 'guide', name: 'Guide' });
    const { file } = await inspectFile(vscode.Uri.file(path.join(folder, 'moss.txt')), new GitIgnore());
    await services.uploads.add(id, confirmed(file)).finished;
    assert.equal(service.documents.size, 1);
    assert.equal(await services.replies.send(id, 'Has moss roots?'), 'sent');
    await services.replies.whenDone(id);
    await until(() => network.contacts.size >= 3);
    const origins = [service.apiOrigin, service.streamOrigin, service.storageOrigin];
    assert.deepEqual(
      [...network.contacts].toSorted(),
      origins.map((origin) => new URL(origin).host).toSorted(),
    );
  });
});
