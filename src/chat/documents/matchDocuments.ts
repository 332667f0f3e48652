import type { Document } from '../../client/models';
import type { DocumentTurn, Turn } from '../model/turn';

/** The status of an accepted document that the service doesn't list yet: it is being converted. */
export const PENDING = 'pending';

/** The service reports times in whole seconds, and its response takes a while to arrive. */
const CLOCK_TOLERANCE_MS = 5000;

/** Returns whether the service may have accepted a document although its response was lost. */
export function isResponseLost({ state, acceptedAt, documentId }: DocumentTurn): boolean {
  return (
    (state === 'failed' || state === 'cancelled') && acceptedAt !== undefined && documentId === undefined
  );
}

/**
 * Finds the documents that the service accepted without returning their IDs, or whose responses were lost, by
 * the IDs of their turns. Matches by equal names first, then by similar ones (`isSameName`), and only documents that
 * are neither older than their registration nor were listed before. Documents with the same name are matched in the
 * order of their times, first to turns that were certainly accepted.
 */
export function matchDocuments(
  turns: readonly Turn[],
  documents: readonly Document[],
): Map<string, Document> {
  const ownTurns = turns.filter((turn) => turn.kind === 'document');
  const knownIds = new Set(ownTurns.map(({ documentId }) => documentId));
  const waiting = ownTurns
    .filter((turn) => isResponseLost(turn) || (turn.state === 'attached' && turn.documentId === undefined))
    .sort(
      (one, other) =>
        Number(isResponseLost(one)) - Number(isResponseLost(other)) ||
        getAcceptedTime(one) - getAcceptedTime(other),
    )
    .map((turn) => ({
      turn,
      forms: toNameForms(turn.name),
      notBefore: getAcceptedTime(turn) - CLOCK_TOLERANCE_MS,
      listedBefore: new Set(turn.listedBefore),
    }));
  const unknown = documents
    .filter(({ id }) => !knownIds.has(id))
    .sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0))
    .map((document) => ({ document, forms: toNameForms(document.name) }));
  const matches = new Map<string, Document>();
  const matched = new Set<Document>();
  for (const haveSameName of [areEqual, areSimilar]) {
    for (const { document, forms } of unknown) {
      if (matched.has(document)) continue;
      const index = waiting.findIndex(
        (turn) =>
          // If the service doesn't return the name, compare only the time.
          (document.name === '' || haveSameName(turn.forms, forms)) &&
          (document.createdAt === undefined || document.createdAt * 1000 >= turn.notBefore) &&
          !turn.listedBefore.has(document.id),
      );
      const [match] = index < 0 ? [] : waiting.splice(index, 1);
      if (!match) continue;
      matches.set(match.turn.id, document);
      matched.add(document);
    }
  }
  return matches;
}

/** Returns the IDs of listed documents that an upload with this name could be taken for. */
export function findListedBefore(name: string, listed: readonly Document[]): string[] {
  const isSameName = createNameCheck([name]);
  return listed.filter((document) => document.name === '' || isSameName(document.name)).map(({ id }) => id);
}

/** Creates a function that returns whether a listed name may be one of these names of uploaded files. */
export function createNameCheck(uploaded: readonly string[]): (listed: string) => boolean {
  const allForms = uploaded.map(toNameForms);
  return (listed) => {
    if (allForms.length === 0) return false;
    const forms = toNameForms(listed);
    return allForms.some((uploadedForms) => areSimilar(uploadedForms, forms));
  };
}

/** Returns the forms of a name: two names without a common one can't be taken for each other. */
export function findNameForms(name: string): readonly string[] {
  const { exact, letters } = toNameForms(name);
  return [...new Set([`=${exact}`, ...letters.filter((form) => form !== '')])];
}

/** A document's name as it is compared; `letters` leaves out case and everything but letters and digits. */
interface NameForms {
  readonly exact: string;
  /** Of the whole name, without its extension, and without two of them. */
  readonly letters: readonly [string, string, string];
}

function toNameForms(name: string): NameForms {
  const exact = name.normalize();
  const stem = removeExtension(exact);
  return { exact, letters: [toLetters(exact), toLetters(stem), toLetters(removeExtension(stem))] };
}

function areEqual(uploaded: NameForms, listed: NameForms): boolean {
  return uploaded.exact === listed.exact;
}

/**
 * Returns whether a document may be listed under this name: without an extension or with another one (`app.ts.txt` as
 * `app.ts` or `app`), and with other case and punctuation.
 */
function areSimilar(uploaded: NameForms, listed: NameForms): boolean {
  const [whole, stem] = listed.letters;
  return (
    areEqual(uploaded, listed) ||
    (whole !== '' && uploaded.letters.includes(whole)) ||
    (stem !== '' && uploaded.letters[1] === stem)
  );
}

function removeExtension(name: string): string {
  return name.replace(/(?<=[^.])\.[^.]{1,20}$/, '');
}

function toLetters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function getAcceptedTime({ acceptedAt, at }: DocumentTurn): number {
  return acceptedAt ?? at;
}

/**
 * Returns a turn attached to the service's document, as far as that is known. Updates on save pass from the turn that it
 * replaces, one of `turns`.
 */
export function attach(
  turn: DocumentTurn,
  turns: readonly Turn[],
  { id, status }: Partial<Document>,
): DocumentTurn {
  const { failure: _failure, failedAt: _failedAt, status: _status, ...rest } = turn;
  const isNew = turn.state !== 'attached';
  const replaced = isNew ? turns.find((each) => each.id === turn.replaces) : undefined;
  return {
    ...rest,
    state: 'attached',
    ...(id !== undefined && { documentId: id }),
    ...(status !== undefined && { status }),
    ...(replaced?.kind === 'document' && replaced.updateOnSave && { updateOnSave: true }),
  };
}
