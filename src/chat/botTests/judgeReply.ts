import type { Source } from '../../client/models';
import { foldText } from '../../shared/text/searchText';
import type { BotTestQuestion, Phrase } from './botTest';
import { includesPhrase, toComparableText } from './comparableText';
import type { ExpressionMatcher } from './expressionMatcher';

/** An expectation that a reply doesn't meet. `line`: of the file, from 0. */
export type Mismatch = { readonly line: number } & (
  | { readonly code: 'missing' | 'unexpected' | 'tooSlow'; readonly phrase: Phrase }
  | { readonly code: 'missingAny'; readonly phrases: readonly Phrase[] }
  | { readonly code: 'missingSource'; readonly name: string; readonly sources: readonly string[] }
  | { readonly code: 'unknownSources' }
);

/** A reply to judge. `sources`: undefined if the service doesn't tell them. */
export interface JudgedReply {
  readonly text: string;
  readonly sources?: readonly Source[] | undefined;
}

/** Returns what a reply lacks, in the order of the expectations. */
export async function judgeReply(
  { expectations, sources }: Pick<BotTestQuestion, 'expectations' | 'sources'>,
  reply: JudgedReply,
  matcher: Pick<ExpressionMatcher, 'matchExpression'>,
): Promise<readonly Mismatch[]> {
  const comparable = toComparableText(reply.text);
  const mismatches: Mismatch[] = [];
  const has = async (phrase: Phrase): Promise<boolean | undefined> =>
    phrase.kind === 'text'
      ? includesPhrase(comparable, toComparableText(phrase.text))
      : matcher.matchExpression(phrase, reply.text);
  for (const { kind, line, phrases } of expectations) {
    let hasAny = false;
    let isKnown = true;
    for (const phrase of phrases) {
      const found = await has(phrase);
      if (found === undefined) {
        isKnown = false;
        mismatches.push({ line: phrase.line, code: 'tooSlow', phrase });
      } else if (found) hasAny = true;
      if (kind === 'all' && found === false) mismatches.push({ line: phrase.line, code: 'missing', phrase });
      if (kind === 'none' && found) mismatches.push({ line: phrase.line, code: 'unexpected', phrase });
      if (kind === 'any' && hasAny) break;
    }
    if (kind === 'any' && !hasAny && isKnown) mismatches.push({ line, code: 'missingAny', phrases });
  }
  const [firstSource] = sources;
  if (firstSource && !reply.sources) mismatches.push({ line: firstSource.line, code: 'unknownSources' });
  const known = reply.sources ?? [];
  for (const { line, name } of reply.sources ? sources : []) {
    if (!known.some((source) => isNamed(source, name)))
      mismatches.push({ line, code: 'missingSource', name, sources: known.map(getSourceName) });
  }
  return mismatches;
}

export function getSourceName({ documentName, documentUrl, documentId, type }: Source): string {
  return documentName?.trim() || documentUrl || documentId || type?.trim() || '';
}

/**
 * Returns whether a source has a name: that of the document without its folders, with or without the extension that it was
 * uploaded with, or the address of a page.
 */
function isNamed(source: Source, name: string): boolean {
  const wanted = foldText(name.trim());
  const names = [source.documentName, source.documentUrl, source.documentId].filter(
    (each) => each !== undefined,
  );
  return names
    .map((each) => foldText(each.trim()))
    .some((each) => {
      const last = each.slice(each.lastIndexOf('/') + 1);
      return [each, last].some(
        (one) => one === wanted || one === `${wanted}.txt` || withoutExtension(wanted) === one,
      );
    });
}

/** A service may list a document without its extension. */
function withoutExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
