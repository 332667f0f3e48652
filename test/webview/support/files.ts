import type { Panel } from './panel';

/** Answers what the page asks about files, in the host's place, until it asks no more. Returns what it asked, by question. */
export async function answerPaths(panel: Panel, existing: readonly string[]): Promise<string[][]> {
  const asked: string[][] = [];
  for (;;) {
    // Replies are looked through when the page is idle, and questions gathered until its next turn.
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

/** What the page asked about files since it was last asked, by question. */
export async function takePathQuestions(panel: Panel): Promise<(readonly string[])[]> {
  return (await panel.takeAll('checkPaths')).map(({ paths }) => paths);
}
