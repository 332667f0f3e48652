/**
 * Measures in a real VS Code how long after one window another one shows a change: a chunk of a reply, and a
 * message. The web worker's extension host is compared with Node's.
 * Usage: npm run bench -- windows [--chunks N] [--messages N] [--hosts web,Node] [--json FILE]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Frame } from 'playwright-core';
import { Person } from '../../e2e/support/person';
import { Workbench } from '../../e2e/support/workbench';
import { type LocalService, startLocalService } from '../../service/localService';
import { getClockOffset } from '../stream/paints';

declare global {
  interface Window {
    /** When each marker, such as `c12;`, was first in the transcript, in ms since the epoch. */
    seen: Record<string, number>;
  }
}

interface Row {
  readonly host: string;
  readonly what: string;
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
}

const LIMIT_MS = 300;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      chunks: { type: 'string', default: '60' },
      messages: { type: 'string', default: '20' },
      hosts: { type: 'string', default: 'web,Node' },
      json: { type: 'string' },
    },
    allowPositionals: true,
  });
  const service = await startLocalService();
  const rows: Row[] = [];
  try {
    for (const host of values.hosts.split(',')) {
      rows.push(...(await measure(service, host, Number(values.chunks), Number(values.messages))));
    }
  } finally {
    await service.close();
  }
  console.table(
    rows.map(({ p50, p95, ...row }) => ({
      ...row,
      'p50, ms': Math.round(p50),
      'p95, ms': Math.round(p95),
      'p95 / limit': (p95 / LIMIT_MS).toFixed(2),
    })),
  );
  if (values.json) {
    writeFileSync(values.json, `${JSON.stringify({ name: 'windows', unit: 'ms', limit: LIMIT_MS, rows })}\n`);
  }
}

async function measure(
  service: LocalService,
  host: string,
  chunkCount: number,
  messageCount: number,
): Promise<Row[]> {
  const workbench = await Workbench.start({
    webWorkerHost: host === 'web',
    settings: { 'parley.baseUrl': service.baseUrl },
  });
  try {
    const one = new Person(workbench);
    await one.setUp(service, 'Echo');
    const beside = await workbench.openWindow('beside');
    const other = new Person(beside);
    await other.newConversation();
    const script = service.script();
    await one.say('for both windows');
    await script.opened;
    script.chunk('begun');
    await other.open('for both windows');
    await other.sees('begun');
    const frames = [await workbench.panel(), await beside.panel()] as const;
    for (const frame of frames) await watchMarkers(frame);
    for (let index = 0; index < chunkCount; index++) {
      script.chunk(` c${index};`);
      // Not in step with the interval at which chunks are written.
      await workbench.page.waitForTimeout(300 + ((index * 137) % 500));
    }
    script.end();
    const chunks = await getDelays(frames, 'c', chunkCount);
    for (let index = 0; index < messageCount; index++) {
      const next = service.script();
      await one.say(`m${index};`);
      next.chunk('ok');
      next.end();
      await one.reply('Echo', index + 2);
    }
    const messages = await getDelays(frames, 'm', messageCount);
    return [createRow(host, 'a chunk', chunks), createRow(host, 'a message', messages)];
  } finally {
    await workbench.stop();
  }
}

async function watchMarkers(frame: Frame): Promise<void> {
  const offset = await frame.evaluate(getClockOffset);
  await frame.evaluate((clockOffset) => {
    window.seen = {};
    new MutationObserver(() => {
      const now = clockOffset + performance.now();
      for (const element of document.querySelectorAll('.bubble, .markdown')) {
        for (const [, marker] of (element.textContent ?? '').matchAll(/([cm]\d+);/g)) {
          if (marker) window.seen[marker] ??= now;
        }
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  }, offset);
}

/** Waits until both windows show all markers; resolves to the differences. */
async function getDelays(frames: readonly Frame[], kind: string, count: number): Promise<number[]> {
  const [first, second] = await Promise.all(
    frames.map(async (frame) => {
      await frame.waitForFunction(
        ([prefix, all]) => {
          return Object.keys(window.seen).filter((marker) => marker.startsWith(prefix)).length >= all;
        },
        [kind, count] as const,
        { polling: 100, timeout: 60_000 },
      );
      return await frame.evaluate(() => window.seen);
    }),
  );
  return Array.from({ length: count }, (_, index) => {
    const marker = `${kind}${index}`;
    return (second?.[marker] ?? Number.NaN) - (first?.[marker] ?? Number.NaN);
  });
}

function createRow(host: string, what: string, delays: readonly number[]): Row {
  const sorted = delays.toSorted((a, b) => a - b);
  const getQuantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { host, what, count: sorted.length, p50: getQuantile(0.5), p95: getQuantile(0.95) };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
