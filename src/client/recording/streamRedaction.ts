import { TOKEN } from './fieldRules';
import { type Redaction, redactJson } from './jsonRedaction';

/** Bytes of a stream that arrived together, and when: in ms. */
interface Piece {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** A marker, such as `[END]`, with the white space around it. */
const MARKER = /^\s*\[[A-Z_]{1,20}\]\s*$/;
const FIELD = /^(\ufeff?(?:(?:data|event|id|retry)(?:: ?|$)|: ?))(.*)$/s;

/** A line of a stream: what it starts with, what it ends with, and what is between. */
interface Line {
  readonly start: string;
  readonly value: string;
  readonly end: string;
  /** The value, if it is JSON. */
  readonly json?: unknown;
}

/**
 * Redacts an event stream line by line (docs/service.md: GET {stream_url}): names of events and markers stay, and so
 * does where a piece ends, as far as its line is still as long.
 */
export function redactStream(
  pieces: readonly Piece[],
  { texts, ...rest }: Redaction,
): readonly { readonly at: number; readonly text: string }[] {
  const { text, ends } = decodePieces(pieces);
  const redaction = { ...rest, texts: texts.forBody(text) };
  const lines = [...text.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g)].map(([, line = '', end = '']) =>
    parseLine(line, end),
  );
  // Redacted as one text: an address or a key may be in several chunks.
  const chunks = redaction.texts.redact(lines.map(getChunk).join(''));
  let [from, to, chunksRead] = [0, 0, 0];
  let redacted = '';
  const redactedEnds: number[] = [];
  for (const line of lines) {
    const chunk = chunks.slice(chunksRead, chunksRead + getChunk(line).length);
    chunksRead += chunk.length;
    const content = redactLine(line, chunk, redaction);
    const length = line.start.length + line.value.length;
    for (let end = ends[redactedEnds.length]; end !== undefined && end <= from + length + line.end.length; ) {
      const offset = end - from;
      redactedEnds.push(
        to + (offset < length ? Math.min(offset, content.length) : content.length + offset - length),
      );
      end = ends[redactedEnds.length];
    }
    redacted += content + line.end;
    from += length + line.end.length;
    to += content.length + line.end.length;
  }
  return pieces.map(({ at }, index) => ({
    at,
    text: redacted.slice(redactedEnds[index - 1] ?? 0, redactedEnds[index]),
  }));
}

/** Decodes pieces together, because one may end within a character. `ends`: where each ends in the text. */
function decodePieces(pieces: readonly Piece[]): { text: string; ends: readonly number[] } {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const ends: number[] = [];
  let text = '';
  pieces.forEach(({ bytes }, index) => {
    text += decoder.decode(bytes, { stream: index < pieces.length - 1 });
    ends.push(text.length);
  });
  return { text, ends };
}

function parseLine(line: string, end: string): Line {
  const [, start, value = ''] = FIELD.exec(line) ?? [];
  if (start === undefined) return { start: '', value: line, end };
  if (!start.includes('data')) return { start, value, end };
  try {
    return { start, value, end, json: JSON.parse(value) };
  } catch {
    return { start, value, end };
  }
}

function getChunk({ json }: Line): string {
  return hasChunk(json) ? json.chunk : '';
}

function hasChunk(json: unknown): json is { readonly chunk: string } {
  return typeof json === 'object' && json !== null && 'chunk' in json && typeof json.chunk === 'string';
}

/** Returns the redacted line without its end. `chunk`: its redacted chunk. */
function redactLine({ start, value, json }: Line, chunk: string, redaction: Redaction): string {
  const { texts, ids } = redaction;
  if (json !== undefined) {
    const redacted = redactJson(json, redaction);
    return start + JSON.stringify(hasChunk(redacted) ? { ...redacted, chunk } : redacted);
  }
  switch (/^\ufeff?(\w*)/.exec(start)?.[1]) {
    case 'data':
      return start + (MARKER.test(value) && !texts.hasKey(value) ? value : texts.redact(value));
    case 'event':
      return start + (TOKEN.test(value) && !texts.hasKey(value) ? value : texts.redact(value));
    case 'id':
      return start + ids.get(value);
    case 'retry':
      return start + (/^\d{1,9}$/.test(value) && !texts.hasKey(value) ? value : texts.redact(value));
    default:
      return start + texts.redact(value);
  }
}
