// A line for work that takes a while, with the seconds that it has taken so far.

/**
 * Runs `work` under a line that shows it is alive: rewritten in place on a terminal, repeated now and then elsewhere.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(title, work) {
  const terminal = process.stdout.isTTY === true;
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(terminal ? 0 : 1)} s`;
  const show = (state) =>
    process.stdout.write(terminal ? `\r\x1b[K${title} … ${state}` : `${title} … ${state}\n`);
  show('');
  const timer = setInterval(() => show(seconds()), terminal ? 1000 : 20_000);
  let ending = 'failed after';
  try {
    const result = await work();
    ending = 'done in';
    return result;
  } finally {
    clearInterval(timer);
    show(`${ending} ${seconds()}${terminal ? '\n' : ''}`);
  }
}
