import * as v from 'valibot';

/** The length of a digest in hexadecimal digits, and of the line feed after it. */
const PREFIX_LENGTH = 65;

/** A schema, and the number of its version, which has to change with its functions (`check`, `transform`). */
export interface VersionedSchema<S extends v.GenericSchema = v.GenericSchema> {
  readonly schema: S;
  readonly version: number;
}

/** Encodes a value with a digest of it and of its schema, with which `parseWithDigest` needn't check every property. */
export async function encodeWithDigest(value: unknown, schema: VersionedSchema): Promise<Uint8Array> {
  const json = new TextEncoder().encode(JSON.stringify(value));
  const digest = await createDigest(json, schema);
  if (digest === undefined) return json;
  const bytes = new Uint8Array(PREFIX_LENGTH + json.length);
  bytes.set(new TextEncoder().encode(`${digest}\n`));
  bytes.set(json, PREFIX_LENGTH);
  return bytes;
}

/**
 * Parses what `encodeWithDigest` returned. Only what has no digest, was changed since, or was written for another schema is
 * checked with the schema, because checking ten thousand summaries takes longer than all else that listing them does.
 * Throws if it doesn't match.
 */
export async function parseWithDigest<S extends v.GenericSchema>(
  bytes: Uint8Array,
  schema: VersionedSchema<S>,
): Promise<v.InferOutput<S>> {
  const decode = (part: Uint8Array) => new TextDecoder().decode(part);
  const hasDigest = bytes[PREFIX_LENGTH - 1] === '\n'.charCodeAt(0);
  const json = hasDigest ? bytes.subarray(PREFIX_LENGTH) : bytes;
  const value: unknown = JSON.parse(decode(json));
  if (hasDigest && decode(bytes.subarray(0, PREFIX_LENGTH - 1)) === (await createDigest(json, schema)))
    return value as v.InferOutput<S>;
  return v.parse(schema.schema, value, { abortEarly: true });
}

/** Returns undefined where there is no cryptography: on a page that wasn't loaded over HTTPS. */
async function createDigest(json: Uint8Array, schema: VersionedSchema): Promise<string | undefined> {
  const { subtle } = crypto as { readonly subtle?: typeof crypto.subtle };
  if (!subtle) return;
  // The version, and all of a schema but its functions: the names and types of all properties.
  const shape = new TextEncoder().encode(JSON.stringify(schema));
  const bytes = new Uint8Array(shape.length + json.length);
  bytes.set(shape);
  bytes.set(json, shape.length);
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
