import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { StreamFault } from './faults';
import type { LocalService } from './localService';
import { echoUrl, raw } from './testCalls';
import { withLocalService } from './withLocalService';

describe('local service: faults within a stream', () => {
  let service: LocalService;
  withLocalService((started) => {
    service = started;
  });

  const good = 'data: [START]\n\ndata: {"chunk":"one "}\n\ndata: {"chunk":"two"}\n\ndata: [END]\n\n';
  const readWith = async (...faults: StreamFault[]) => {
    for (const fault of faults) service.inject(fault);
    return raw(await echoUrl(service, 'one two'));
  };

  it('is over after one stream', async () => {
    assert.equal((await readWith({ name: 'stream-no-end' })).body.includes('[END]'), false);
    assert.equal((await readWith()).body, good);
  });

  it('ends without END, by FIN, by RST or in the middle of a frame, and marks the message', async () => {
    const whole = await readWith({ name: 'stream-no-end' });
    assert.deepEqual([whole.body, whole.error], [good.replace('data: [END]\n\n', ''), undefined]);
    const early = await readWith({ name: 'stream-no-end', afterChunks: 1 });
    assert.equal(early.body, 'data: [START]\n\ndata: {"chunk":"one "}\n\n');
    assert.equal((await readWith({ name: 'stream-reset', afterChunks: 1 })).error, 'ECONNRESET');
    const truncated = await readWith({ name: 'stream-bad-framing', afterChunks: 1 });
    assert.equal(truncated.error, 'ECONNRESET');
    assert.match(truncated.body, /"one ".*\{"chunk":"cut$/s);
    const garbage = await readWith({ name: 'stream-bad-framing', kind: 'garbage' });
    assert.equal(garbage.error, 'HPE_INVALID_CHUNK_SIZE');
    const replies = [...service.messages.values()].filter(({ machine }) => machine);
    assert.deepEqual(
      replies.map(({ content, failed_responding }) => [content, failed_responding]),
      ['one two', 'one ', 'one ', 'one ', 'one two'].map((content) => [content, true]),
    );
  });

  it('falls silent, or holds the connection after END, until the client leaves', async () => {
    for (const [fault, last] of [
      [{ name: 'stream-silence', afterChunks: 1 }, '"one "}\n\n'],
      [{ name: 'stream-hold-after-end' }, '[END]\n\n'],
    ] as const) {
      service.inject(fault);
      const url = await echoUrl(service, 'one two');
      await leaveAfter(url, last);
      const left = await service.waitForRequest((r) => url.endsWith(r.path) && r.closed);
      assert.equal(left.aborted, true);
    }
  });

  it('ends with an unfinished line, goes on after END, or never says START', async () => {
    const open = await readWith({ name: 'stream-end-without-blank-line' });
    assert.equal(open.body, good.slice(0, -1));
    const bare = await readWith({ name: 'stream-end-without-blank-line', lineEnd: '' });
    assert.equal(bare.body, good.slice(0, -2));
    const late = await readWith({ name: 'stream-data-after-end', text: 'late' });
    assert.equal(late.body, `${good}data: {"chunk":"late"}\n\n`);
    const noStart = await readWith({ name: 'stream-no-start' });
    assert.equal(noStart.body, good.replace('data: [START]\n\n', ''));
  });

  it('puts events between the chunks that are no chunks', async () => {
    const withEvent = (event: string) => good.replace('"one "}\n\n', (chunk) => `${chunk}${event}\n\n`);
    assert.equal((await readWith({ name: 'stream-not-json' })).body, withEvent('data: this is not JSON'));
    const values: [unknown, string][] = [
      [null, '{"chunk":null}'],
      [7, '{"chunk":7}'],
      [undefined, '{}'],
    ];
    for (const [value, json] of values) {
      const { body } = await readWith({ name: 'stream-bad-chunk', ...(value !== undefined && { value }) });
      assert.equal(body, withEvent(`data: ${json}`));
    }
    const two = await readWith(
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

  it('sends one huge event, and a flood of small ones', async () => {
    const huge = await readWith({ name: 'stream-huge-event', bytes: 3_500_000 });
    assert.equal(huge.body.length, good.length + 3_500_000 + 'data: {"chunk":""}\n\n'.length);
    const flood = await readWith({ name: 'stream-flood', events: 10_050 });
    assert.equal(flood.body.match(/"x "/g)?.length, 10_050);
    assert.ok(flood.body.endsWith('[END]\n\n'));
  });

  it('sends the same text in other line endings, with BOM, comments and fields, byte by byte', async () => {
    for (const lineEnd of ['\r', '\r\n', '\n'] as const) {
      const plain = { bom: false, comments: false, fields: false };
      const { body } = await readWith({ name: 'stream-line-endings', lineEnd, ...plain });
      assert.equal(body, good.replaceAll('\n', lineEnd));
    }
    const { body } = await readWith({ name: 'stream-line-endings' }, { name: 'stream-byte-by-byte' });
    assert.equal(body.charCodeAt(0), 0xfeff);
    for (const part of ['\r\n', ': a comment', 'retry: 1', 'id: ', 'event: message']) {
      assert.ok(body.includes(part), part);
    }
    assert.match(body, /[^\r]\n/);
    assert.match(body, /\r[^\n]/);
    const data = body.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data: '));
    assert.equal(data.map((line) => `${line}\n\n`).join(''), good);
  });

  it('really splits characters when it goes byte by byte', async () => {
    service.inject({ name: 'stream-byte-by-byte' });
    const sizes: number[] = [];
    const response = await fetch(await echoUrl(service, 'ü'));
    for await (const part of response.body as AsyncIterable<Uint8Array> & typeof response.body) {
      sizes.push(part.length);
    }
    assert.ok(sizes.filter((size) => size === 1).length > 10, sizes.join());
  });
});

/** Reads until `end` has come, then drops the connection. */
function leaveAfter(url: string, end: string): Promise<void> {
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
