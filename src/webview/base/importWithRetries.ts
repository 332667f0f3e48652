import { SCRIPT_RETRY_PAUSES_MS } from '../../shared/protocol/loadScript';
import { t } from './l10n';

/** Thrown when a script can't be loaded; the message is a sentence for the user. */
export class ScriptFailure extends Error {
  override readonly name = 'ScriptFailure';
}

/**
 * Imports a script, and tries again after a pause if that fails: VS Code may refuse a page's request, or give up on it, while
 * it or its server is busy. Throws ScriptFailure if all attempts fail.
 */
export async function importWithRetries<T>(load: () => Promise<T>): Promise<T> {
  for (const pauseMs of SCRIPT_RETRY_PAUSES_MS) {
    try {
      return await load();
    } catch (error) {
      console.warn('A script couldn’t be loaded yet:', error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  try {
    return await load();
  } catch (cause) {
    const text = t('Parley couldn’t load all of this view. Run “Developer: Reload Window” to try again.');
    throw new ScriptFailure(text, { cause });
  }
}
