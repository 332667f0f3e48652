import type { DrawRequest, DrawResponse } from './frame/frameMessages';
import script from './frame/renderer?text';

/** Time limit for drawing a diagram. */
const TIME_LIMIT_MS = 10_000;

/** Creates a frame that runs the first script that it receives. It inherits this page's policy, and with it the nonce. */
const createFrameHtml = (nonce: string) => `<!DOCTYPE html><body><script nonce="${nonce}">
addEventListener('message', ({ data }) => {
  const script = document.createElement('script');
  script.nonce = '${nonce}';
  script.textContent = data;
  document.body.append(script);
}, { once: true });
</script>`;

let shown: HTMLIFrameElement | undefined;

/**
 * Draws a diagram in a new frame without an origin, which browsers run in a process of its own: if it takes too long, its
 * removal ends it. Resolves to undefined then, and when another diagram was started in the meantime.
 */
export async function drawDiagram(
  request: DrawRequest,
  { rendererScript = script, timeLimitMs = TIME_LIMIT_MS } = {},
): Promise<DrawResponse | 'timeout' | 'replaced'> {
  shown?.remove();
  const frame = document.createElement('iframe');
  shown = frame;
  frame.className = 'renderer';
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.srcdoc = createFrameHtml(findNonce());
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  // Lays out the frame at once. Until then it counts as hidden, texts in it have no size, and Mermaid can't place labels.
  frame.getBoundingClientRect();
  await loaded;
  if (shown !== frame) return 'replaced';
  frame.contentWindow?.postMessage(rendererScript, '*');
  frame.contentWindow?.postMessage(request, '*');
  const response = await receiveResponse(frame, timeLimitMs);
  const isReplaced = shown !== frame;
  frame.remove();
  return isReplaced ? 'replaced' : response;
}

function receiveResponse(frame: HTMLIFrameElement, timeLimitMs: number): Promise<DrawResponse | 'timeout'> {
  return new Promise((resolve) => {
    const end = (response: DrawResponse | 'timeout') => {
      removeEventListener('message', onMessage);
      clearTimeout(timer);
      resolve(response);
    };
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== frame.contentWindow || typeof data !== 'object' || data === null) return;
      if ('svg' in data && typeof data.svg === 'string') end({ svg: data.svg });
      else if ('error' in data && typeof data.error === 'string') end({ error: data.error });
    };
    const timer = setTimeout(() => end('timeout'), timeLimitMs);
    addEventListener('message', onMessage);
  });
}

/** Returns the nonce of this page's own script. */
function findNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}
