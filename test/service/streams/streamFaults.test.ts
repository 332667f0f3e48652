import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { StreamFault } from '../faults/faults';
import type { LocalService } from '../localService';
import { requestEchoUrl, sendRaw } from '../support/testCalls';
import { withLocalService } from '../support/withLocalService';

describe('local service: faults within a stream', () => {
  let service: LocalService;
  withLocalService((started) => {
    service = started;
  });

  const NORMAL_BODY = 'data: [START]\n\ndata: {"chunk":"one "}\n\ndata: {"chunk":"two"}\n\ndata: [END]\n\n';
  const readWithFaults = async (...faults: StreamFault[]) => {
    for (const fault of faults) service.inject(fault);
    return sendRaw(await requestEchoUrl(service, 'one two'));
  };

  it('affects a single stream', async () => {
    assert.equal((await readWithFaults({ name: 'stream-no-end' })).body.includes('[END]'), false);
    assert.equal((await readWithFaults()).body, NORMAL_BODY);
  });

  it('ends without END, by FIN, RST or in the middle of a frame, and marks the message as failed', async () => {
    const whole = await readWithFaults({ name: 'stream-no-end' });
    assert.deepEqual([whole.body, whole.error], [NORMAL_BODY.replace('data: [END]\n\n', ''), undefined]);
    const early = await readWithFaults({ name: 'stream-no-end', afterChunks: 1 });
    assert.equal(early.body, 'data: [START]\n\ndata: {"chunk":"one "}\n\n');
    assert.equal((await readWithFaults({ name: 'stream-reset', afterChunks: 1 })).error, 'ECONNRESET');
    const truncated = await readWithFaults({ name: 'stream-bad-framing', afterChunks: 1 });
    assert.equal(truncated.error, 'ECONNRESET');
    assert.match(truncated.body, /"one ".*\{"chunk":"cut$/s);
    const garbage = await readWithFaults({ name: 'stream-bad-framing', kind: 'garbage' });
    assert.equal(garbage.error, 'HPE_INVALID_CHUNK_SIZE');
    const replies = [...service.messages.values()].filter(({ machine }) => machine);
    assert.deepEqual(
      replies.map(({ content, failed_responding }) => [content, failed_responding]),
      ['one two', 'one ', 'one ', 'one ', 'one two'].map((content) => [content, true]),
    );
  });

  it('stalls, or keeps the connection open after END, until the client disconnects', async () => {
    for (const [fault, last] of [
      [{ name: 'stream-silence', afterChunks: 1 }, '"one "}\n\n'],
      [{ name: 'stream-hold-after-end' }, '[END]\n\n'],
    ] as const) {
      service.inject(fault);
      const url = await requestEchoUrl(service, 'one two');
      await disconnectAfter(url, last);
      const left = await service.waitForRequest((r) => url.endsWith(r.path) && r.closed);
      assert.equal(left.aborted, true);
    }
  });

  it('ends with an unfinished line, continues after END, or omits START', async () => {
    const open = await readWithFaults({ name: 'stream-end-without-blank-line' });
    assert.equal(open.body, NORMAL_BODY.slice(0, -1));
    const bare = await readWithFaults({ name: 'stream-end-without-blank-line', lineEnd: '' });
    assert.equal(bare.body, NORMAL_BODY.slice(0, -2));
    const late = await readWithFaults({ name: 'stream-data-after-end', text: 'late' });
    assert.equal(late.body, `${NORMAL_BODY}data: {"chunk":"late"}\n\n`);
    const noStart = await readWithFaults({ name: 'stream-no-start' });
    assert.equal(noStart.body, NORMAL_BODY.replace('data: [START]\n\n', ''));
  });

  it('sends invalid events between the chunks', async () => {
    const withEvent = (event: string) =>
      NORMAL_BODY.replace('"one "}\n\n', (chunk) => `${chunk}${event}\n\n`);
    assert.equal(
      (await readWithFaults({ name: 'stream-not-json' })).body,
      withEvent('data: this is not JSON'),
    );
    const values: [unknown, string][] = [
      [null, '{"chunk":null}'],
      [7, '{"chunk":7}'],
      [undefined, '{}'],
    ];
    for (const [value, json] of values) {
      const { body } = await readWithFaults({
        name: 'stream-bad-chunk',
        ...(value !== undefined && { value }),
      });
      assert.equal(body, withEvent(`data: ${json}`));
    }
    const two = await readWithFaults(
      { name: 'stream-not-json', afterChunks: 0 },
      { name: 'stream-bad-chunk', value: 1 },
    );
    assert.equal(
      two.body,
      withEvent('data: {"chunk":1}').replace(
        'data: {"chunk":"one',
        'data: this is not JSON\n\ndata: {"chunk":"one',
      ),
    );
  });

  it('sends one huge event, or a flood of small ones', async () => {
    const huge = await readWithFaults({ name: 'stream-huge-event', bytes: 3_500_000 });
    assert.equal(huge.body.length, NORMAL_BODY.length + 3_500_000 + 'data: {"chunk":""}\n\n'.length);
    const flood = await readWithFaults({ name: 'stream-flood', events: 10_050 });
    assert.equal(flood.body.match(/"x "/g)?.length, 10_050);
    assert.ok(flood.body.endsWith('[END]\n\n'));
  });

  it('sends the same text with other line endings, a BOM, comments and fields, byte by byte', async () => {
    for (const lineEnd of ['\r', '\r\n', '\n'] as const) {
      const plain = { bom: false, comments: false, fields: false };
      const { body } = await readWithFaults({ name: 'stream-line-endings', lineEnd, ...plain });
      assert.equal(body, NORMAL_BODY.replaceAll('\n', lineEnd));
    }
    const { body } = await readWithFaults({ name: 'stream-line-endings' }, { name: 'stream-byte-by-byte' });
    assert.equal(body.charCodeAt(0), 0xfeff);
    for (const part of ['\r\n', ': a comment', 'retry: 1', 'id: ', 'event: message']) {
      assert.ok(body.includes(part), part);
    }
    assert.match(body, /[^\r]\n/);
    assert.match(body, /\r[^\n]/);
    const data = body.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data: '));
    assert.equal(data.map((line) => `${line}\n\n`).join(''), NORMAL_BODY);
  });

  it('splits characters when it sends byte by byte', async () => {
    service.inject({ name: 'stream-byte-by-byte' });
    const sizes: number[] = [];
    const response = await fetch(await requestEchoUrl(service, 'ü'));
    for await (const part of response.body as AsyncIterable<Uint8Array> & typeof response.body) {
      sizes.push(part.length);
    }
    assert.ok(sizes.filter((size) => size === 1).length > 10, sizes.join());
  });
});

/** Reads until the body ends with `end`, then disconnects. */
function disconnectAfter(url: string, end: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const req = request(url, { agent: false }, (res) => {
      let body = '';
      res.on('data', (data) => {
        body += data;
        if (!body.endsWith(end)) return;
        req.destroy();
        resolve();
      });
      res.on('end', () => reject(new Error(`It ended after ${body}`)));
    });
    req.on('error', reject).end();
  });
}
