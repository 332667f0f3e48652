import fc from 'fast-check';
import type { Conversation } from '../../../src/chat/model/conversation';
import type { Failure } from '../../../src/chat/model/failure';
import type { Turn } from '../../../src/chat/model/turn';

/** Omits optional properties instead of setting them to undefined, as the types require. */
function optional<R extends object, O extends object>(
  required: { [K in keyof R]: fc.Arbitrary<R[K]> },
  rest: { [K in keyof O]: fc.Arbitrary<O[K]> },
): fc.Arbitrary<R & Partial<O>> {
  return fc
    .tuple(
      fc.record(required, { noNullPrototype: true }),
      fc.record(rest, { requiredKeys: [], noNullPrototype: true }),
    )
    .map(([a, b]) => ({ ...a, ...b }) as R & Partial<O>);
}

/** Any text, including lone surrogates, control characters and bidi marks. */
const text = fc.string({ unit: 'binary', maxLength: 40 });
const loose = fc.oneof(
  text,
  fc.string({ unit: fc.constantFrom('\ud800', '\udc00', '\u202e', '\0', '`', '\n', '"') }),
);
const time = fc.integer({ min: 0, max: 4_102_444_800_000 });
const count = fc.nat({ max: 2 ** 40 });

const failure: fc.Arbitrary<Failure> = optional(
  {
    code: fc.constantFrom<Failure['code']>(
      'validation',
      'unreachable',
      'interrupted',
      'internal',
      'fileChanged',
    ),
    maySend: fc.boolean(),
  },
  {
    status: fc.integer({ min: 100, max: 599 }),
    serviceMessage: loose,
    fieldErrors: fc.dictionary(fc.constantFrom('bot_id', 'name', 'key'), fc.array(loose), {
      noNullPrototype: true,
    }),
    reason: loose,
    retryAt: time,
  },
);

const source = optional({ name: loose }, { id: loose, url: fc.oneof(fc.webUrl(), loose) });

const turn: fc.Arbitrary<Turn> = fc.oneof(
  optional({ kind: fc.constant('message' as const), id: fc.uuid(), text: loose, at: time }, {}),
  optional(
    {
      kind: fc.constant('reply' as const),
      id: fc.uuid(),
      messageId: fc.uuid(),
      bot: loose,
      text: loose,
      at: time,
      ending: fc.constantFrom('complete' as const, 'stopped', 'interrupted', 'failed'),
    },
    { failure, skipped: fc.constant(true as const), sources: fc.array(source, { maxLength: 3 }) },
  ),
  optional(
    {
      kind: fc.constant('document' as const),
      id: fc.uuid(),
      name: loose,
      size: count,
      sent: count,
      at: time,
      state: fc.constantFrom('attached' as const, 'failed', 'cancelled'),
    },
    { failure, failedAt: fc.constantFrom('signing' as const, 'uploading', 'registering'), documentId: loose },
  ),
);

const forkLink = fc.record({ id: fc.uuid(), name: loose, turnId: fc.uuid() }, { noNullPrototype: true });

/** Conversations in which every turn has ended. */
export const anyConversation: fc.Arbitrary<Conversation> = optional(
  {
    id: fc.uuid(),
    name: loose,
    turns: fc.uniqueArray(turn, { selector: ({ id }) => id, maxLength: 6 }),
    draft: fc.constant(''),
    unread: fc.constant(false),
    pinned: fc.constant(false),
    createdAt: time,
  },
  {
    bot: fc.record({ id: loose, name: loose }, { noNullPrototype: true }),
    forkedFrom: forkLink,
    forks: fc.array(forkLink, { maxLength: 3 }),
  },
);

/** A conversation with these turns at fixed times. */
export function conversationOf(turns: readonly Turn[], name = 'Moss'): Conversation {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    name,
    bot: { id: 'guide', name: 'Guide' },
    turns,
    draft: '',
    unread: false,
    pinned: false,
    createdAt: Date.UTC(2026, 1, 3, 10),
  };
}
