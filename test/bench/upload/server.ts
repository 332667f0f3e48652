import { startLocalService } from '../../service/localService';

/**
 * Runs a local service that discards uploads until its parent stops it. Prints its URL and key as a line of
 * JSON.
 */
async function main(): Promise<void> {
  const { baseUrl, key } = await startLocalService({ discardUploads: true });
  console.log(JSON.stringify({ baseUrl, key }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
