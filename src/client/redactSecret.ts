const REDACTED = '•••';

/** A shorter piece of base64 may be a part of any text. */
const MIN_BASE64_LENGTH = 8;

/** The letters of a shorter secret may be those of ordinary words. In bytes. */
const MIN_SPACED_LENGTH = 16;

/** Text that was percent-encoded more often isn't decoded. */
const MAX_DECODINGS = 3;

/** Bytes, and for each of them the part of the original that it was made from. */
interface View {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

type Range = readonly [start: number, end: number];

/**
 * Redacts a secret wherever it appears in a text: plain or in base64 with anything around it, percent-encoded up to three
 * times, and with white space inside. Takes time proportional to the length of the text. Replacing the plain, the
 * percent-encoded and the base64 form alone passes 2 of its 12 tests: each of the others is a log that showed the key.
 */
export function redactSecret(text: string, secret: string): string {
  const encoder = new TextEncoder();
  const [bytes, secretBytes] = [encoder.encode(text), encoder.encode(secret)];
  const ranges: Range[] = [];
  for (const isSpaced of [false, true]) {
    let [view, form] = [createView(bytes), createView(secretBytes)];
    const forms = new Set<string>();
    for (let decodings = 0; ; decodings++) {
      if (isSpaced) [view, form] = [removeSpaces(view), removeSpaces(form)];
      // What looks percent-encoded in the secret is decoded with what is around it.
      forms.add(toLetters(form.bytes));
      const letters = toLetters(view.bytes);
      for (const each of forms)
        if (each.length >= (isSpaced ? MIN_SPACED_LENGTH : 1)) addRanges(ranges, view, letters, each);
      if (isSpaced) addBase64Ranges(ranges, view, letters, secretBytes);
      if (decodings === MAX_DECODINGS || !letters.includes('%')) break;
      [view, form] = [decodePercent(view), decodePercent(form)];
    }
  }
  return replaceRanges(text, bytes, ranges);
}

/** Adds where the text has this part, and the letter before or after it if they belong to it too. */
function addRanges(
  ranges: Range[],
  { starts, ends }: View,
  letters: string,
  part: string,
  [before, after]: readonly [boolean, boolean] = [false, false],
): void {
  for (let at = letters.indexOf(part); at >= 0; at = letters.indexOf(part, at + 1)) {
    const end = at + part.length;
    const from = before && isBase64(letters[at - 1]) ? at - 1 : at;
    const to = after && isBase64(letters[end]) ? end + 1 : end;
    ranges.push([starts[from] ?? 0, ends[to - 1] ?? 0]);
  }
}

/** Base64 encodes three bytes at a time, so what it makes of a secret depends on how many bytes are before it. */
function addBase64Ranges(ranges: Range[], view: View, letters: string, secret: Uint8Array): void {
  const standard = letters.replaceAll('-', '+').replaceAll('_', '/');
  for (const offset of [0, 1, 2]) {
    const end = offset + secret.length;
    const padded = new Uint8Array(Math.ceil(end / 3) * 3);
    padded.set(secret, offset);
    // A letter is six bits. Those at the ends may contain bits of other bytes.
    const part = btoa(toBinary(padded)).slice(Math.ceil((offset * 4) / 3), Math.floor((end * 4) / 3));
    if (part.length >= MIN_BASE64_LENGTH) addRanges(ranges, view, standard, part, [offset > 0, end % 3 > 0]);
  }
}

function isBase64(letter: string | undefined): boolean {
  return letter !== undefined && /[A-Za-z0-9+/]/.test(letter);
}

function createView(bytes: Uint8Array): View {
  const [starts, ends] = [new Uint32Array(bytes.length), new Uint32Array(bytes.length)];
  for (let index = 0; index < bytes.length; index++) {
    starts[index] = index;
    ends[index] = index + 1;
  }
  return { bytes, starts, ends };
}

/** Creates a view of another one, whose bytes are those that `fill` adds: each with the indexes that it was made from. */
function convert(
  source: View,
  fill: (add: (byte: number, first: number, last: number) => void) => void,
): View {
  const { length } = source.bytes;
  const [bytes, starts, ends] = [new Uint8Array(length), new Uint32Array(length), new Uint32Array(length)];
  let count = 0;
  fill((byte, first, last) => {
    bytes[count] = byte;
    starts[count] = source.starts[first] ?? 0;
    ends[count] = source.ends[last] ?? 0;
    count++;
  });
  return { bytes: bytes.subarray(0, count), starts, ends };
}

function removeSpaces(view: View): View {
  return convert(view, (add) =>
    view.bytes.forEach((byte, index) => {
      const isSpace = byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
      if (!isSpace) add(byte, index, index);
    }),
  );
}

function decodePercent(view: View): View {
  const { bytes } = view;
  return convert(view, (add) => {
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] ?? 0;
      const [high, low] = [parseHexDigit(bytes[index + 1]), parseHexDigit(bytes[index + 2])];
      if (byte !== 0x25 || high < 0 || low < 0) add(byte, index, index);
      else {
        add(16 * high + low, index, index + 2);
        index += 2;
      }
    }
  });
}

function parseHexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

/** Returns a text of as many letters as there are bytes. */
function toLetters(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

function toBinary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

function replaceRanges(text: string, bytes: Uint8Array, ranges: Range[]): string {
  if (ranges.length === 0) return text;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: string[] = [];
  let end = 0;
  for (const [start, to] of ranges.sort((one, other) => one[0] - other[0])) {
    // Several forms may be found in one place.
    if (start >= end) parts.push(decoder.decode(bytes.subarray(end, start)), REDACTED);
    end = Math.max(end, to);
  }
  parts.push(decoder.decode(bytes.subarray(end)));
  return parts.join('');
}
