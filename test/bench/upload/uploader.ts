import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { ServiceClient } from '../../../src/client/serviceClient';
import { openLocalFile } from '../../../src/host/platform/localFile';
import { createNodeFetch } from '../../../src/host/platform/nodeFetch';

/**
 * Uploads the file as the extension host does, once for each line of input; prints the time of the PUT and of
 * the hash in ms and the memory growth in bytes, as a line of JSON.
 */
async function main(): Promise<void> {
  const [file = '', baseUrl = '', key = ''] = process.argv.slice(2);
  const client = new ServiceClient({ baseUrl, apiKey: async () => key, fetch: createNodeFetch() });
  const upload = async (path: string): Promise<{ ms: number; hashMs: number }> => {
    const contentType = 'application/pdf';
    const { body, sha256, unchanged, close } = await openLocalFile(path);
    const { url } = await client.createSignedUpload({ fileName: 'big.pdf', contentType });
    let sent = 0;
    const onProgress = (bytes: number) => {
      sent = bytes;
    };
    const from = performance.now();
    await client.putFile({ url, contentType, file: body }, { onProgress });
    const put = performance.now();
    assert.equal(sent, body.size);
    await sha256();
    assert.ok(await unchanged());
    await close();
    return { ms: put - from, hashMs: performance.now() - put };
  };
  // The first upload compiles the code.
  await upload(process.execPath);
  const before = process.memoryUsage.rss();
  for await (const _ of createInterface({ input: process.stdin })) {
    let peak = before;
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 10);
    const times = await upload(file);
    clearInterval(sampling);
    console.log(JSON.stringify({ ...times, growth: peak - before }));
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
