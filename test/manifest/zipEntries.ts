import { inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly compressedSize: number;
  readText(): string;
}

/** Returns the files in a zip archive, by name. */
export function readZipEntries(zip: Buffer): ReadonlyMap<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const count = zip.readUInt16LE(end + 10);
  let offset = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      zip.readUInt16LE(offset + field),
    );
    const name = zip.toString('utf8', offset + 46, offset + 46 + (nameLength ?? 0));
    const isStored = zip.readUInt16LE(offset + 10) === 0;
    const compressedSize = zip.readUInt32LE(offset + 20);
    const header = zip.readUInt32LE(offset + 42);
    const begin = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const content = zip.subarray(begin, begin + compressedSize);
    entries.set(name, {
      compressedSize,
      readText: () => (isStored ? content : inflateRawSync(content)).toString('utf8'),
    });
    offset += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries;
}
