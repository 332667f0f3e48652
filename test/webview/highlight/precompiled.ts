import type { LanguageRegistration } from '@shikijs/primitive';

/** Loads a language's grammar as its package has it, after the ones that are embedded in it. */
export async function loadPrecompiled(name: string): Promise<readonly LanguageRegistration[]> {
  return (await import(`@shikijs/langs-precompiled/${name}`)).default;
}
