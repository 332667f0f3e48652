import type { Panel } from './panel';

/** Answers the page's requests about files in the host's place, until there are no more. Returns the paths by request. */
export async function answerPaths(panel: Panel, existing: readonly string[]): Promise<string[][]> {
  const asked: string[][] = [];
  for (;;) {
    // Replies are searched when the page is idle, and requests are batched.
    await panel.page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(() => setTimeout(() => setTimeout(resolve)))),
    );
    const requests = await panel.takeAll('checkPaths');
    if (requests.length === 0) return asked;
    for (const request of requests) {
      asked.push([...request.paths]);
      await panel.respond(
        request,
        request.paths.filter((path) => existing.includes(path)),
      );
    }
  }
}
