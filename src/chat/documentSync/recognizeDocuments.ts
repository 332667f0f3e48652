import type { Document } from '../../client/models';
import { createNameCheck, findNameForms } from '../documents/matchDocuments';
import { SyncNames } from './syncNames';
import type { ScannedFile } from './syncPlan';
import type { SyncRecord, SyncState } from './syncState';

/** A document on the service that wasn't registered from here, and the file whose document has its name. */
export interface RecognizedDocument {
  readonly file: ScannedFile;
  readonly name: string;
  readonly document: Document;
}

/**
 * Finds the documents that another machine registered, or a sync whose journal was lost, by the names that a sync would give.
 * `files` in the list's order; `toName` returns the name of a path for its upload. Also finds those that another machine uploaded
 * in the place of one that was registered here.
 */
export function recognizeDocuments(
  state: SyncState,
  files: readonly ScannedFile[],
  listed: readonly Document[],
  toName: (path: string) => string,
): readonly RecognizedDocument[] {
  const names = new SyncNames();
  for (const { name } of state.registrations) names.add(name);
  // A list that is some seconds old has documents that were removed from here, and lacks the newest.
  const known = new Set([...state.registrations.flatMap(({ id }) => id ?? []), ...state.removedIds]);
  const listedIds = new Set(listed.map(({ id }) => id));
  // What the service has of these paths is found out by the next sync.
  const unclear = new Set(state.registrations.flatMap(({ id, path }) => (id === undefined ? [path] : [])));
  const wanted = files.flatMap((file) => {
    const current = state.findCurrent(file.path);
    if (unclear.has(file.path) || (current && listedIds.has(current.id ?? ''))) return [];
    return [{ file, name: current?.name ?? names.take(toName(file.path), file.path) }];
  });
  // The newest last.
  const unknown = listed
    .filter(({ id, name }) => name !== '' && !known.has(id))
    .toSorted((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0));
  const byName = new Map(unknown.map((document) => [document.name.normalize(), document]));
  const byForm = new Map<string, Document[]>();
  for (const document of unknown) {
    for (const form of findNameForms(document.name)) {
      const similar = byForm.get(form);
      if (similar) similar.push(document);
      else byForm.set(form, [document]);
    }
  }
  const recognized = new Map<Document, RecognizedDocument>();
  // Equal names first: then the document of one file isn't taken for that of another.
  const others = wanted.filter((each) => {
    const document = byName.get(each.name.normalize());
    if (document) recognized.set(document, { ...each, document });
    return !document;
  });
  for (const each of others) {
    const isSame = createNameCheck([each.name]);
    const document = findNameForms(each.name)
      .flatMap((form) => byForm.get(form) ?? [])
      .findLast((similar) => !recognized.has(similar) && isSame(similar.name));
    if (document) recognized.set(document, { ...each, document });
  }
  return [...recognized.values()];
}

/** Returns the record of a recognized document. `at`: on the service's clock. */
export function toFoundRecord({ file, name, document }: RecognizedDocument, at: number): SyncRecord {
  return { type: 'found', key: crypto.randomUUID(), ...file, name, at, id: document.id };
}
