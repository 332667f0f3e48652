import { MarkdownStream } from '../../../src/webview/markdown/markdownStream';
import { plainText } from './limit';
import type { Contender, Run, RunResult } from './run';

/** The contenders by name; the peers' script, which is loaded later, adds its own. */
export const contenders: Record<string, Contender> = {
  'plain text (the limit)': plainText,
  Parley: (container) => new MarkdownStream(container),
};

/** The characters between two frames, unless each update gets a frame. */
const CHARACTERS_PER_FRAME = 1024;

/** Runs a measurement: applies the text in updates, each laid out with the end in view. */
export async function run({ contender, text, chunk, everyFrame }: Run): Promise<RunResult> {
  const scroller = document.createElement('div');
  scroller.className = 'scroller';
  const container = document.createElement('div');
  container.className = 'markdown';
  scroller.append(container);
  document.body.replaceChildren(scroller);
  await frame();
  const stream = contenders[contender]?.(container);
  if (!stream) throw new Error(`There is no ${contender}.`);
  const perFrame = everyFrame ? chunk : CHARACTERS_PER_FRAME;
  const result: RunResult = { updates: 0, longestUpdate: 0, lateFrames: 0, nodes: 0 };
  let last = performance.now();
  const measure = async (update: () => void | Promise<void>) => {
    const start = performance.now();
    const shown = update();
    if (shown) await shown;
    scroller.scrollTop = scroller.scrollHeight;
    const duration = performance.now() - start;
    result.updates += duration;
    result.longestUpdate = Math.max(result.longestUpdate, duration);
  };
  for (let from = 0; from < text.length; from += chunk) {
    await measure(() => stream.appendMarkdown(text.slice(from, from + chunk)));
    if ((from + chunk) % perFrame > 0) continue;
    const now = await frame();
    // At 60 frames a second, a skipped frame shows as a gap of two.
    if (everyFrame && now - last > 25) result.lateFrames++;
    last = now;
  }
  await measure(() => stream.end());
  await frame();
  await frame();
  result.nodes = container.querySelectorAll('*').length;
  return result;
}

function frame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
