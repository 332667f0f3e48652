/** A frame of an animation: a still WebP that is drawn over the frames before. */
export interface Frame {
  /** Even, like `top`. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  readonly webp: Buffer;
}

/** In the flags of `VP8X`. */
const HAS_ANIMATION = 0x02;
/** In the flags of `ANMF`: the frame replaces what is below it. */
const NO_BLENDING = 0x02;

/**
 * Creates an animated WebP that repeats forever; the first frame covers the whole picture. Hand-written, because
 * browsers encode only still pictures, and this container is all that is missing.
 */
export function createAnimatedWebp(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (!first) throw new Error('An animation needs a frame.');
  const header = Buffer.concat([
    Buffer.from([HAS_ANIMATION, 0, 0, 0]),
    uint24(first.width - 1),
    uint24(first.height - 1),
  ]);
  // Background and number of repetitions.
  const animation = Buffer.alloc(6);
  const parts = frames.map(({ left, top, width, height, durationMs, webp }) =>
    createChunk(
      'ANMF',
      Buffer.concat([
        ...[left / 2, top / 2, width - 1, height - 1, durationMs].map(uint24),
        Buffer.from([NO_BLENDING]),
        ...findPictureChunks(webp),
      ]),
    ),
  );
  const body = [Buffer.from('WEBP'), createChunk('VP8X', header), createChunk('ANIM', animation), ...parts];
  return createChunk('RIFF', Buffer.concat(body));
}

/** Returns the chunks of a still WebP that contain its pixels. */
function findPictureChunks(webp: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 12; at + 8 <= webp.length; ) {
    const size = webp.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (['VP8 ', 'VP8L', 'ALPH'].includes(webp.toString('latin1', at, at + 4)))
      found.push(webp.subarray(at, end));
    at = end;
  }
  return found;
}

function createChunk(name: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)]);
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
