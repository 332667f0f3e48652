/**
 * Returns a script that makes a page's short intervals longer: by them, the page gives up a worker for code or for the search
 * that is silent for two seconds, as a healthy one may be on a slow machine, and says that it still waits for a reply. As
 * text: it runs before the page's own scripts. In a page that has run it, it changes nothing.
 */
export function patientIntervals(factor = 12): string {
  return `if (/\\[native code\\]/.test(setInterval)) {
  const start = window.setInterval;
  window.setInterval = (step, ms, ...rest) => start(step, ${factor} * ms, ...rest);
}`;
}

/**
 * A script that makes a page's limits of ten seconds and more longer: it may draw that long on a slow machine, and a test may
 * take that long to answer in the host's place. In a page that has run it, it changes nothing.
 */
export const PATIENT_TIMEOUTS = `if (/\\[native code\\]/.test(setTimeout)) {
  const start = window.setTimeout;
  window.setTimeout = (end, ms, ...rest) => start(end, ms < 10_000 ? ms : 12 * ms, ...rest);
}`;
