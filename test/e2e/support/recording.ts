import type { Page } from 'playwright-core';
import { createAnimatedWebp, type Frame } from './animatedWebp';

/** The shortest time between two frames; what changes faster isn't worth its bytes. */
const MIN_FRAME_MS = 120;
/** The longest time that a frame is shown, so that waiting doesn't take longer than it must. */
const MAX_FRAME_MS = 1200;
const LAST_FRAME_MS = 3000;

/**
 * Records what a page shows while `act` runs, as an animated WebP with the device's pixels. `encoder`: a blank page.
 */
export async function recordPage(page: Page, encoder: Page, act: () => Promise<void>): Promise<Buffer> {
  const shots: { readonly data: string; readonly atMs: number }[] = [];
  const session = await page.context().newCDPSession(page);
  let hasChanged = true;
  let isRecording = true;
  // A screencast has one pixel for each CSS pixel, so it only tells when the page has changed.
  session.on('Page.screencastFrame', ({ sessionId }) => {
    hasChanged = true;
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 1, maxWidth: 16, maxHeight: 16 });
  const takeShots = async () => {
    for (;;) {
      const isLast = !isRecording;
      const atMs = performance.now();
      if (hasChanged || isLast) {
        hasChanged = false;
        const png = await page.screenshot({ caret: 'initial' });
        shots.push({ data: png.toString('base64'), atMs });
      }
      if (isLast) return;
      await page.waitForTimeout(Math.max(0, atMs + MIN_FRAME_MS - performance.now()));
    }
  };
  const shooting = takeShots();
  try {
    await act();
  } finally {
    isRecording = false;
    await shooting;
  }
  await session.send('Page.stopScreencast');
  await session.detach();
  const frames: Frame[] = [];
  for (const [index, { data, atMs }] of shots.entries()) {
    const next = shots[index + 1];
    const durationMs = next ? Math.min(Math.round(next.atMs - atMs), MAX_FRAME_MS) : LAST_FRAME_MS;
    const part = await encoder.evaluate(encodeChange, data);
    const last = frames.at(-1);
    if (part) frames.push({ ...part, durationMs, webp: Buffer.from(part.webp, 'base64') });
    else if (last) frames[frames.length - 1] = { ...last, durationMs: last.durationMs + durationMs };
  }
  return createAnimatedWebp(frames);
}

/**
 * Runs in the encoder: returns the part of a picture that differs from the picture before as a WebP, or undefined
 * if they are the same.
 */
async function encodeChange(png: string) {
  const memory = globalThis as unknown as { before?: ImageData };
  const picture = new Image();
  picture.src = `data:image/png;base64,${png}`;
  await picture.decode();
  const { naturalWidth: width, naturalHeight: height } = picture;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('There is no canvas.');
  context.drawImage(picture, 0, 0);
  const shown = context.getImageData(0, 0, width, height);
  const [now, old] = [shown, memory.before].map((data) => data && new Uint32Array(data.data.buffer));
  memory.before = shown;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let at = 0; now && at < now.length; at++) {
    if (old && now[at] === old[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  if (right === 0) return undefined;
  // WebP has even offsets only.
  left -= left % 2;
  top -= top % 2;
  const part = document.createElement('canvas');
  Object.assign(part, { width: right - left, height: bottom - top });
  part.getContext('2d', { alpha: false })?.drawImage(canvas, -left, -top);
  const url = part.toDataURL('image/webp', 0.6);
  return { left, top, width: part.width, height: part.height, webp: url.slice(url.indexOf(',') + 1) };
}
