/** Returns the compressed size of each file in a zip archive, by name. */
export function readZipEntries(zip: Buffer): ReadonlyMap<string, number> {
  const entries = new Map<string, number>();
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const count = zip.readUInt16LE(end + 10);
  let offset = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      zip.readUInt16LE(offset + field),
    );
    const name = zip.toString('utf8', offset + 46, offset + 46 + (nameLength ?? 0));
    entries.set(name, zip.readUInt32LE(offset + 20));
    offset += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries;
}
