import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * The peer: pipes the file's stream into `http.request`, without hash or progress. Prints the time in ms as a
 * line of JSON.
 */
async function main(): Promise<void> {
  const [file = '', url = ''] = process.argv.slice(2);
  const headers = { 'Content-Type': 'application/pdf', 'Content-Length': statSync(file).size };
  const from = performance.now();
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  const put = request(url, { method: 'PUT', headers });
  const answered = once(put, 'response');
  await pipeline(createReadStream(file), put);
  const [response] = await answered;
  response.resume();
  const ms = performance.now() - from;
  clearInterval(sampling);
  if (response.statusCode !== 200) throw new Error(`The store answered ${response.statusCode}`);
  console.log(JSON.stringify({ ms, growth: peak - before }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
