interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

/**
 * The only policy for creating a script from text, named as in the page's content policy. It is created before any other
 * script could do so, and the name can't be used twice.
 */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('codeWorker', {
  createScriptURL: (url) => url,
});

/** Starts a worker from a script that is part of the page's bundle: webviews can't start one from a file. */
export function startWorker(script: string): Worker {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return new Worker(policy?.createScriptURL(url) ?? url, { name: 'code' });
}
