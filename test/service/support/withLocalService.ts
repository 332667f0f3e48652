import { type LocalService, type LocalServiceOptions, startLocalService } from '../localService';

/**
 * Starts a separate local service for each test of a suite, passes it to `use` and closes it afterwards.
 * Fails a test that left a script or a fault unused. Returns a function that starts another service instead,
 * with more options.
 */
export function withLocalService(
  use: (service: LocalService) => void,
  options: LocalServiceOptions | (() => LocalServiceOptions) = {},
): (more?: LocalServiceOptions) => Promise<void> {
  let running: LocalService | undefined;
  const stop = async () => {
    const stopped = running;
    running = undefined;
    await stopped?.close();
    stopped?.reset();
  };
  const start = async (more: LocalServiceOptions = {}) => {
    await stop();
    const usual = typeof options === 'function' ? options() : options;
    running = await startLocalService({ ...usual, ...more });
    use(running);
  };
  beforeEach(() => start());
  afterEach(stop);
  return start;
}
