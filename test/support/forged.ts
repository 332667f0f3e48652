import fc from 'fast-check';

/** Anything that a message between page and host can carry, which is more than JSON. */
const anything = fc.oneof(
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
    const endless: Record<string, unknown> = { type: 'send' };
    endless.text = endless;
    return endless;
  }),
);

const strangers = [
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
 * Messages that are surely malformed: of an unknown type, with a property too many, or with a value of another
 * type somewhere in it. `strangers`: whether one with a property too many is malformed.
 */
export function forged(
  samples: readonly { readonly type: string }[],
  { strangers: withStrangers = true } = {},
): fc.Arbitrary<unknown> {
  const types = new Set(samples.map(({ type }) => type));
  const isNoMessage = (value: unknown) =>
    typeof value !== 'object' || value === null || !types.has((value as { type?: string }).type ?? '');
  const sample = fc.constantFrom(...samples);
  return fc.oneof(
    { weight: 1, arbitrary: anything.filter(isNoMessage) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(sample, anything)
        .filter(([, type]) => typeof type !== 'string' || !types.has(type))
        .map(([message, type]) => ({ ...message, type })),
    },
    {
      weight: withStrangers ? 2 : 0,
      arbitrary: fc
        .tuple(sample, fc.oneof(fc.constantFrom(...strangers), fc.string()), anything)
        .filter(([message, name]) => !samples.some((each) => each.type === message.type && name in each))
        .map(([message, name, value]) => withProperty(message, name, value)),
    },
    {
      weight: 4,
      arbitrary: fc.tuple(sample, fc.gen()).map(([message, gen]) => spoil(message, gen) as unknown),
    },
  );
}

/** Also where the name is one that an object has a meaning for. */
function withProperty(message: object, name: string, value: unknown): object {
  return Object.defineProperty({ ...message }, name, { value, enumerable: true });
}

/** Puts a value of another type in the place of one, however deep, or of the type itself where there is nothing else. */
function spoil(value: unknown, gen: fc.GeneratorValue): unknown {
  const inside = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
  const names = inside ? Object.keys(value) : [];
  if (names.length === 0) return gen(() => anything.filter((other) => kindOf(other) !== kindOf(value)));
  const name = names[gen(fc.nat, { max: names.length - 1 })] as string;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  const before = copy[name];
  copy[name] =
    gen(fc.boolean) || name === 'type'
      ? gen(() => anything.filter((other) => kindOf(other) !== kindOf(before)))
      : spoil(before, gen);
  return copy;
}

function kindOf(value: unknown): string {
  if (value === null || Array.isArray(value)) return String(value === null ? null : 'array');
  return value instanceof Uint8Array ? 'bytes' : typeof value;
}
