interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

/**
 * The one way in which the page makes a script of a text, by the name that the page's content policy has. It is made
 * before all others can be, and the name can't be had twice.
 */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('codeWorker', {
  createScriptURL: (url) => url,
});

/** Starts a worker of a script that is part of the page's own: webviews can't start one from a file. */
export function startWorker(script: string): Worker {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return new Worker(policy?.createScriptURL(url) ?? url, { name: 'code' });
}
