/**
 * A script that makes a page's short intervals 12 times as long: by them, the page gives up a worker for code that is silent
 * for two seconds, as a healthy one may be on a slow machine. As text: it runs before the page's own scripts.
 */
export const patientIntervals = `{
  const start = window.setInterval;
  window.setInterval = (step, ms, ...rest) => start(step, 12 * ms, ...rest);
}`;
