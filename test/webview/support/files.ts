import type { Panel } from './panel';

/** Answers the page's requests about files in the host's place, until there are no more. Returns the paths by request. */
export async function answerPaths(panel: Panel, existing: readonly string[]): Promise<string[][]> {
  const asked: string[][] = [];
  for (;;) {
    // Replies are searched when the page is idle, and requests are batched.
    await panel.page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(() => setTimeout(() => setTimeout(resolve)))),
    );
    const questions = await takePathQuestions(panel);
    if (questions.length === 0) return asked;
    for (const paths of questions) {
      asked.push([...paths]);
      await panel.post({ type: 'existingPaths', paths: paths.filter((path) => existing.includes(path)) });
    }
  }
}

/** Returns the paths that the page has asked about since the last call, by request. */
export async function takePathQuestions(panel: Panel): Promise<(readonly string[])[]> {
  return (await panel.takeAll('checkPaths')).map(({ paths }) => paths);
}
