import fc from 'fast-check';

/** Any value that a message between page and host can carry, which is more than JSON. */
const anyValue = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
  }),
  fc.constantFrom<unknown>('x'.repeat(6_000_000), new Uint8Array(2 * 1024 * 1024), new ArrayBuffer(8), /x/),
  fc.constant(null).map(() => {
    const circular: Record<string, unknown> = { type: 'send' };
    circular.text = circular;
    return circular;
  }),
);

const unknownNames = [
  'path',
  'url',
  'uri',
  'command',
  'key',
  'href',
  'args',
  '__proto__',
  'constructor',
  'then',
];

/**
 * Creates messages that are certainly malformed: of an unknown type, with an unknown property, or with a
 * value of another type somewhere.
 */
export function forged(samples: readonly { readonly type: string }[]): fc.Arbitrary<unknown> {
  const types = new Set(samples.map(({ type }) => type));
  const isNoMessage = (value: unknown) =>
    typeof value !== 'object' || value === null || !types.has((value as { type?: string }).type ?? '');
  const sample = fc.constantFrom(...samples);
  return fc.oneof(
    { weight: 1, arbitrary: anyValue.filter(isNoMessage) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(sample, anyValue)
        .filter(([, type]) => typeof type !== 'string' || !types.has(type))
        .map(([message, type]) => ({ ...message, type })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(sample, fc.oneof(fc.constantFrom(...unknownNames), fc.string()), anyValue)
        .filter(([message, name]) => !samples.some((known) => known.type === message.type && name in known))
        .map(([message, name, value]) => withProperty(message, name, value)),
    },
    {
      weight: 4,
      arbitrary: fc.tuple(sample, fc.gen()).map(([message, gen]) => corrupt(message, gen) as unknown),
    },
  );
}

/** Adds a property, even with a special name such as `__proto__`. */
function withProperty(message: object, name: string, value: unknown): object {
  return Object.defineProperty({ ...message }, name, { value, enumerable: true });
}

/**
 * Replaces a value with one of another type, at any depth, or the message's type if it has no other
 * properties.
 */
function corrupt(value: unknown, gen: fc.GeneratorValue): unknown {
  const inside = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
  const names = inside ? Object.keys(value) : [];
  if (names.length === 0) return gen(() => anyValue.filter((other) => getKind(other) !== getKind(value)));
  const name = names[gen(fc.nat, { max: names.length - 1 })] as string;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  const before = copy[name];
  copy[name] =
    gen(fc.boolean) || name === 'type'
      ? gen(() => anyValue.filter((other) => getKind(other) !== getKind(before)))
      : corrupt(before, gen);
  return copy;
}

function getKind(value: unknown): string {
  if (value === null || Array.isArray(value)) return String(value === null ? null : 'array');
  return value instanceof Uint8Array ? 'bytes' : typeof value;
}
