import { startLocalService } from '../../service/localService';

/** A local service that drops what is uploaded, until its parent ends it. Prints what `main.ts` needs as a line of JSON. */
async function main(): Promise<void> {
  const { baseUrl, key } = await startLocalService({ discardUploads: true });
  console.log(JSON.stringify({ baseUrl, key }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
