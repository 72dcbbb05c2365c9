import { crc32, inflateRawSync } from 'node:zlib';

/** Signatures and sizes of zip records (PKWARE APPNOTE 4.3). */
const END = 0x06054b50;
const END_SIZE = 22;
const CENTRAL = 0x02014b50;
const CENTRAL_SIZE = 46;
const LOCAL = 0x04034b50;
const LOCAL_SIZE = 30;
const STORED = 0;
const DEFLATED = 8;
const MAX_COMMENT = 0xffff;

interface Entry {
  name: string;
  method: number;
  crc: number;
  packedSize: number;
  size: number;
  offset: number;
}

/**
 * The file `fileName` in any folder of a zip archive, such as a wheel.
 * @throws Error if the archive is damaged or has no such file
 */
export function extractFromZip(archive: Buffer, fileName: string): Buffer {
  const entry = listEntries(archive).find(({ name }) => name.split('/').at(-1) === fileName);
  if (entry === undefined) throw new Error(`the archive holds no ${fileName}`);
  const content = unpack(archive, entry);
  if (content.length !== entry.size || crc32(content) !== entry.crc) {
    throw new Error(`${fileName} in the archive is damaged`);
  }
  return content;
}

function listEntries(archive: Buffer): Entry[] {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  const entries: Entry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(at) !== CENTRAL) throw new Error('the archive is damaged');
    const nameLength = archive.readUInt16LE(at + 28);
    entries.push({
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      packedSize: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      offset: archive.readUInt32LE(at + 42),
      name: archive.toString('utf8', at + CENTRAL_SIZE, at + CENTRAL_SIZE + nameLength),
    });
    at += CENTRAL_SIZE + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

/** A comment of unknown length can follow the end record. */
function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_SIZE - MAX_COMMENT);
  for (let at = archive.length - END_SIZE; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) === END) return at;
  }
  throw new Error('not a zip archive');
}

function unpack(archive: Buffer, entry: Entry): Buffer {
  if (archive.readUInt32LE(entry.offset) !== LOCAL) throw new Error('the archive is damaged');
  // The lengths can differ from those in the central directory.
  const names = archive.readUInt16LE(entry.offset + 26) + archive.readUInt16LE(entry.offset + 28);
  const start = entry.offset + LOCAL_SIZE + names;
  const packed = archive.subarray(start, start + entry.packedSize);
  if (entry.method === STORED) return packed;
  if (entry.method === DEFLATED) return inflateRawSync(packed, { maxOutputLength: entry.size + 1 });
  throw new Error(`the archive uses compression method ${entry.method}, which is not supported`);
}
