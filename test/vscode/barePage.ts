import type { Browser } from 'playwright-core';

/** What a page can call, by the names of the functions in the page. Arguments are passed as JSON. */
export type PageFunctions = Readonly<Record<string, (...args: unknown[]) => void>>;

/**
 * Opens a URL in a page that reports nothing but calls of these functions and a crash. Playwright's own pages also
 * report each message over a WebSocket, which is most of what VS Code does during tests.
 */
export async function openBarePage(
  browser: Browser,
  url: string,
  functions: PageFunctions,
  onCrash: () => void,
): Promise<void> {
  const devtools = await browser.newBrowserCDPSession();
  // Playwright leaves pages alone that are in another client's context.
  const { browserContextId } = await devtools.send('Target.createBrowserContext');
  const { targetId } = await devtools.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
    width: 1280,
    height: 720,
  });
  const { sessionId } = await devtools.send('Target.attachToTarget', { targetId });
  /** Each resolves to what is wrong, or undefined, by the id of the message. */
  const answers: ((problem: string | undefined) => void)[] = [];
  devtools.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, error, result, method, params } = JSON.parse(message);
    if (id !== undefined) answers[id]?.(error?.message ?? result?.errorText);
    else if (method === 'Inspector.targetCrashed') onCrash();
    else if (method === 'Runtime.bindingCalled') {
      const [name, args] = JSON.parse(params.payload);
      functions[name]?.(...args);
    }
  });
  const send = async (method: string, params: unknown = {}) => {
    let id = 0;
    const answered = new Promise<string | undefined>((resolve) => {
      id = answers.push(resolve) - 1;
    });
    const message = JSON.stringify({ id, method, params });
    await devtools.send('Target.sendMessageToTarget', { sessionId, message });
    const problem = await answered;
    if (problem !== undefined) throw new Error(`Chromium failed at ${method}: ${problem}`);
  };
  await send('Inspector.enable');
  await send('Page.enable');
  // Without it, calls of the binding aren't reported.
  await send('Runtime.enable');
  await send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await send('Runtime.addBinding', { name: 'callTests' });
  const names = JSON.stringify(Object.keys(functions));
  await send('Page.addScriptToEvaluateOnNewDocument', { source: `(${addFunctions})(${names})` });
  await send('Page.navigate', { url });
}

/** Runs in the page: defines functions that pass their arguments to the binding. */
function addFunctions(names: readonly string[]): void {
  const page = globalThis as unknown as Record<string, (...args: unknown[]) => void>;
  for (const name of names) {
    page[name] = (...args) =>
      page.callTests?.(
        JSON.stringify([name, args], (_key, value) => (value instanceof Error ? value.stack : value)),
      );
  }
}
