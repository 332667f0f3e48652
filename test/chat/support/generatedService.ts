import fc from 'fast-check';
import type { Operation } from '../../service/api/operations';
import { type OptionalField, optionalFields } from '../../service/api/optionalFields';
import { type PageStyle, pageStyles } from '../../service/api/pages';
import {
  bodyStyles,
  documentNameStyles,
  fieldStyles,
  flagStyles,
  idStyles,
  listedSourceStyles,
  timeStyles,
} from '../../service/api/styles';
import { optionalOperations, type Profile } from '../../service/profiles';

/** Operations that conversations, messages and uploads must work without. */
export const OPTIONAL_OPERATIONS: readonly Operation[] = [
  ...optionalOperations,
  'GET /documents',
  'GET /messages',
  'GET /messages/{id}',
  'POST /messages',
  'DELETE /conversations/{id}',
];
/** Operations whose response isn't needed. */
export const IGNORED_RESPONSES: readonly Operation[] = [
  'POST /documents/file',
  'POST /conversations/{id}',
  'GET /documents',
  'GET /messages',
  'GET /bots',
  'GET /conversations',
];
/** More than the items of any test. */
const ALL = 1000;
/** No service has smaller pages (client/pages.ts), so a shorter list that tells nothing is complete. */
const MIN_FULL_PAGE = 10;

/** Most services have what is publicly known, so that most cases prove the strongest claims. */
const mostly = <T>(usual: T, others: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
const oneOf = <T extends string>(styles: Readonly<Record<T, unknown>>) =>
  fc.constantFrom(...(Object.keys(styles) as T[]));
const some = <T>(items: readonly T[]) => fc.uniqueArray(fc.constantFrom(...items), { maxLength: 3 });

/** Services that answer in any way that the contract and the public facts allow (docs/service.md). */
export const generatedServices = fc
  .record({
    missing: mostly<Operation[]>([], some(OPTIONAL_OPERATIONS)),
    empty: mostly<Operation[]>(['POST /documents/file'], some(IGNORED_RESPONSES)),
    omit: mostly<OptionalField[]>([], some(optionalFields)),
    fields: mostly({}, fc.dictionary(fc.constantFrom(...optionalFields), oneOf(fieldStyles), { maxKeys: 3 })),
    bodies: fc.subarray(Object.keys(bodyStyles) as (keyof typeof bodyStyles)[]),
    ids: oneOf(idStyles),
    times: oneOf(timeStyles),
    flags: oneOf(flagStyles),
    paging: mostly(true, fc.constant(false)),
    pageStyle: oneOf(pageStyles),
    pageSize: fc.integer({ min: 1, max: 15 }),
    // A smaller page is repeated whole if a message and its reply come while the list is read, which ends the list.
    messagePageSize: fc.integer({ min: 3, max: 15 }),
    ignoresPage: mostly(false, fc.constant(true)),
    newestFirst: fc.boolean(),
    ignoresConversation: mostly<Operation[]>([], some(['GET /messages', 'GET /documents'])),
    wrapMessages: fc.boolean(),
    wrapSigned: fc.boolean(),
    sourceAsObject: fc.boolean(),
    listedSources: oneOf(listedSourceStyles),
    documentNames: oneOf(documentNameStyles),
    streamNoise: fc.boolean(),
    nullNames: fc.boolean(),
    bareErrors: fc.boolean(),
    // A document that is ready but never listed would be waited for for an hour.
    conversion: fc.constantFrom(
      { listingMs: 0, conversionMs: 0 },
      { listingMs: 0, conversionMs: Number.POSITIVE_INFINITY },
      { listingMs: Number.POSITIVE_INFINITY, conversionMs: Number.POSITIVE_INFINITY },
    ),
    /** How a reply reaches the history after its stream broke: whole and late, or as far as it was sent. */
    historyDelayMs: mostly(Number.POSITIVE_INFINITY, fc.constant(0)),
  })
  .map(({ conversion, ...service }) => ({
    ...service,
    ...conversion,
    // Either all messages have an id or none: replies without their questions would tell nothing.
    fields: Object.fromEntries(
      Object.entries(service.fields).map(([name, style]) => [
        name,
        name === 'message.id' && style === 'sometimesNull' ? ('null' as const) : style,
      ]),
    ),
    pageSize: fitPageSize(service.pageSize, service),
    messagePageSize: fitPageSize(service.messagePageSize, service, service.wrapMessages),
  }));

export type GeneratedService = Pick<
  Profile,
  typeof generatedServices extends fc.Arbitrary<infer T> ? keyof T & keyof Profile : never
>;

function fitPageSize(
  size: number,
  { ignoresPage, pageStyle }: { readonly ignoresPage: boolean; readonly pageStyle: PageStyle },
  tellsOfPages = true,
): number {
  if (ignoresPage) return ALL;
  return pageStyle === 'none' || !tellsOfPages ? Math.max(size, MIN_FULL_PAGE) : size;
}

/** What can be read from a service's answers, which decides how much a user can see. */
export function readAnswers({ missing, empty, omit, fields, ...service }: GeneratedService) {
  const answers = (operation: Operation) => !missing.includes(operation) && !empty.includes(operation);
  /** A field that is sent as a number or a text can still be read. */
  const knows = (...names: OptionalField[]) =>
    names.every((name) => !omit.includes(name) && (fields[name] ?? 'number') === 'number');
  const filters = (operation: Operation) => !service.ignoresConversation.includes(operation);
  /** Whether the account's first page of messages has some of another conversation, so that a filtered list differs. */
  const hasOthers = !service.newestFirst || !service.paging || service.messagePageSize === ALL;
  return {
    answers,
    knows,
    // Messages without an ID can't be told from those that are shown.
    messages:
      answers('GET /messages') &&
      knows('message.id', 'message.content') &&
      ((filters('GET /messages') && hasOthers) || knows('message.conversation_id')),
    roles: knows('message.machine'),
    // Without IDs, nothing tells a further page from a repetition of the first.
    flags: answers('GET /messages') && knows('message.id', 'message.content', 'message.flagged'),
    // Where a list without times begins, nobody knows.
    order: !service.newestFirst || knows('message.created_at'),
    lateReplies: service.historyDelayMs > 0,
    // The contract doesn't promise the reply's text.
    webSearch: answers('POST /messages') && knows('message.content'),
    documents: answers('GET /documents') && (filters('GET /documents') || knows('conversation.document_ids')),
  };
}

export type Answers = ReturnType<typeof readAnswers>;
