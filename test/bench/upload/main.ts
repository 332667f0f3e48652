/**
 * Measures the speed and memory of an upload from disk, compared with curl and plain Node streams, all to the
 * same server. Usage: npm run bench -- upload [--mib N] [--rounds N] [--json FILE]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type ProcessGroup, spawnGroup } from '../../vscode/processGroup';

const MIB = 1024 * 1024;
const LIMITS = { share: 0.9, growthMib: 64 };
const here = __dirname;

interface Service {
  readonly baseUrl: string;
  readonly key: string;
}

interface Measured {
  readonly ms: number;
  /** The time to hash the sent bytes. */
  readonly hashMs?: number;
  /** Memory growth of the process, in bytes. */
  readonly growth?: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      mib: { type: 'string', default: '1024' },
      rounds: { type: 'string', default: '9' },
      json: { type: 'string' },
    },
    allowPositionals: true,
  });
  const mib = Number(values.mib);
  const dir = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  const server = startScript('server.ts');
  try {
    const service = await nextLine<Service>(server);
    const file = path.join(dir, 'big.pdf');
    writeRandom(file, mib);
    const uploader = startScript('uploader.ts', file, service.baseUrl, service.key);
    const contenders: Record<string, () => Promise<Measured>> = {
      Parley() {
        uploader.child.stdin?.write('\n');
        return nextLine<Measured>(uploader);
      },
      ...(hasCurl() && { 'curl -T': async () => curl(file, await requestSignedUrl(service)) }),
      'node pipe': async () =>
        nextLine<Measured>(startScript('nodePipe.ts', file, await requestSignedUrl(service))),
    };
    if (!contenders['curl -T']) console.log('curl is not installed: its row is left out.');
    const results: Record<string, Measured[]> = {};
    for (let round = 0; round < Number(values.rounds); round++) {
      // In turns, so that noise affects all contenders.
      for (const [name, run] of Object.entries(contenders)) {
        results[name] = [...(results[name] ?? []), await run()];
      }
    }
    uploader.child.stdin?.end();
    report(results, mib, values.json);
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

function report(results: Record<string, Measured[]>, mib: number, json: string | undefined): void {
  const peer = results['curl -T'] ? 'curl -T' : 'node pipe';
  const times = (name: string) => (results[name] ?? []).map(({ ms }) => ms);
  const rows = Object.entries(results).map(([name, runs]) => {
    const growth = runs.flatMap((run) => (run.growth === undefined ? [] : [run.growth / MIB]));
    const hash = runs.flatMap((run) => (run.hashMs === undefined ? [] : [run.hashMs]));
    return {
      name,
      mibPerSecond: mib / (getMedian(times(name)) / 1000),
      // Compared per round, because the load of the machine changes between rounds.
      share: getMedian(times(name).map((ms, round) => (times(peer)[round] ?? Number.NaN) / ms)),
      ...(growth.length > 0 && { growthMib: Math.max(...growth) }),
      ...(hash.length > 0 && { hashMs: getMedian(hash) }),
    };
  });
  console.table(
    Object.fromEntries(
      rows.map(({ name, mibPerSecond, share, growthMib, hashMs }) => [
        name,
        {
          'MiB/s': Math.round(mibPerSecond),
          [`of ${peer}`]: `${(share * 100).toFixed(0)} %`,
          'memory, most': growthMib === undefined ? '' : `+${growthMib.toFixed(0)} MiB`,
          'hash, after it': hashMs === undefined ? '' : `${hashMs.toFixed(0)} ms`,
        },
      ]),
    ),
  );
  const ours = rows.find(({ name }) => name === 'Parley');
  const holds = ours !== undefined && ours.share >= LIMITS.share && (ours.growthMib ?? 0) < LIMITS.growthMib;
  const limits = `at least ${LIMITS.share * 100} % of ${peer}, under ${LIMITS.growthMib} MiB`;
  console.log(`${holds ? 'Within' : 'NOT within'} the limits: ${limits}.`);
  const result = { name: 'upload', mib, peer, limits: LIMITS, rows };
  if (json) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
  if (!holds) process.exitCode = 1;
}

function getMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function startScript(name: string, ...args: string[]): ProcessGroup {
  const command = ['--import', 'tsx', path.join(here, name), ...args];
  return spawnGroup(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Reads a process's next line of output as JSON. */
async function nextLine<T>({ child, ended }: ProcessGroup): Promise<T> {
  if (!child.stdout) throw new Error('No output to read');
  const lines = createInterface({ input: child.stdout });
  const line = once(lines, 'line').then(([text]) => {
    lines.close();
    return JSON.parse(text) as T;
  });
  const failed = ended.then((code) => {
    if (code !== 0) throw new Error(`A process of the measurement ended with code ${code}`);
    return line;
  });
  return Promise.race([line, failed]);
}

/** Requests a signed URL for a PDF. */
async function requestSignedUrl({ baseUrl, key }: Service): Promise<string> {
  const response = await fetch(`${baseUrl}/uploads/signed-url`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ file_name: 'big.pdf', content_type: 'application/pdf' }),
  });
  return ((await response.json()) as { url: string }).url;
}

function hasCurl(): boolean {
  return spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0;
}

function curl(file: string, url: string): Measured {
  const format = ['-w', '%{http_code} %{time_total}'];
  const header = ['-H', 'Content-Type: application/pdf'];
  const output = execFileSync('curl', ['-sS', '--noproxy', '*', '-T', file, ...header, ...format, url], {
    encoding: 'utf8',
  });
  const [status, seconds] = output.trim().split(' ');
  if (status !== '200') throw new Error(`curl got ${output}`);
  return { ms: Number(seconds) * 1000 };
}

function writeRandom(file: string, mib: number): void {
  const descriptor = openSync(file, 'w');
  const block = randomBytes(16 * MIB);
  for (let written = 0; written < mib * MIB; written += block.length) {
    block.writeUInt32LE(written / block.length);
    writeSync(descriptor, block, 0, Math.min(block.length, mib * MIB - written));
  }
  closeSync(descriptor);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
