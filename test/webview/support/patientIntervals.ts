/**
 * Returns a script that makes a page's short intervals longer: by them, the page gives up a worker for code or for the search
 * that is silent for two seconds, as a healthy one may be on a slow machine. As text: it runs before the page's own scripts.
 * In a page that has run it, it changes nothing.
 */
export function patientIntervals(factor = 12): string {
  return `if (/\\[native code\\]/.test(setInterval)) {
  const start = window.setInterval;
  window.setInterval = (step, ms, ...rest) => start(step, ${factor} * ms, ...rest);
}`;
}
