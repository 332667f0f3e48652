import * as v from 'valibot';

const VERSION = 1;

const time = v.pipe(v.number(), v.minValue(0));
const headers = v.record(v.string(), v.string());
const content = {
  body: v.optional(v.unknown()),
  text: v.optional(v.string()),
  bytes: v.optional(v.number()),
};

const exchangeSchema = v.object({
  at: time,
  operation: v.pipe(v.string(), v.regex(/^(?:GET|POST|PUT|DELETE) \S*$/, 'no operation')),
  origin: v.picklist(['api', 'stream', 'storage', 'other']),
  path: v.string(),
  query: v.optional(v.string()),
  request: v.object({ headers, ...content }),
  response: v.optional(
    v.object({
      at: time,
      status: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(599)),
      headers,
      ...content,
      events: v.optional(v.array(v.object({ at: time, text: v.string() }))),
      incomplete: v.optional(v.picklist(['closed', 'limit', 'stopped'])),
    }),
  ),
  failure: v.optional(v.string()),
});

/** The file that Record Service Answers… writes: see README.md. */
const recordingSchema = v.object({
  parleyRecording: v.literal(VERSION),
  startedAt: v.pipe(v.string(), v.isoTimestamp()),
  textsKept: v.boolean(),
  exchanges: v.array(exchangeSchema),
});

export type Recording = v.InferOutput<typeof recordingSchema>;
export type RecordedExchange = v.InferOutput<typeof exchangeSchema>;

/** Reads a recording. Throws an error that says what is wrong with the file. */
export function parseRecording(text: string): Recording {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`The file is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const marker = v.safeParse(v.object({ parleyRecording: v.unknown() }), json);
  if (!marker.success) throw new Error('The file is not a recording of Parley.');
  const { parleyRecording: version } = marker.output;
  if (version !== VERSION)
    throw new Error(`The recording has version ${JSON.stringify(version)}; only ${VERSION} is supported.`);
  const result = v.safeParse(recordingSchema, json);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(`The recording is damaged at ${v.getDotPath(issue) ?? 'its top'}: ${issue.message}`);
}
