import { Session } from 'node:inspector/promises';

/** Describes the timers that keep this process running: in how many ms each is due after its start, and what it calls. */
export async function describeOpenTimers(): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    const expression =
      '{ const timer = setTimeout(() => {}); clearTimeout(timer); Object.getPrototypeOf(timer); }';
    const { result } = await session.post('Runtime.evaluate', { expression });
    const { objects } = await session.post('Runtime.queryObjects', {
      prototypeObjectId: result.objectId ?? '',
    });
    const described = await session.post('Runtime.callFunctionOn', {
      objectId: objects.objectId,
      functionDeclaration: describeTimers.toString(),
      arguments: [],
      returnByValue: true,
    });
    return described.result.value as string[];
  } finally {
    session.disconnect();
  }
}

function describeTimers(this: readonly (NodeJS.Timeout & InternalTimer)[]): string[] {
  return this.filter((timer) => timer.hasRef() && !timer._destroyed).map(
    (timer) => `${timer._repeat ?? timer._idleTimeout} ms: ${timer._onTimeout}`,
  );
}

/** What Node keeps in each timer. */
interface InternalTimer {
  readonly _destroyed: boolean;
  readonly _idleTimeout: number;
  readonly _repeat: number | null;
  readonly _onTimeout: unknown;
}
