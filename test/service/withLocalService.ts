import { type LocalService, type LocalServiceOptions, startLocalService } from './localService';

/**
 * Gives each test of a suite a local service of its own, by `use`, and closes it afterwards. A test that left a script or a
 * fault unused fails. The function that it returns starts another one in its place, with more options.
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
