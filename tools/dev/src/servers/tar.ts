const BLOCK = 512;

/** The first regular file `fileName` in any folder of an uncompressed tar archive. */
export function extractFromTar(archive: Buffer, fileName: string): Buffer {
  let at = 0;
  while (at + BLOCK <= archive.length) {
    const name = text(archive, at, 100);
    if (name === '') break;
    const size = Number.parseInt(text(archive, at + 124, 12), 8);
    const kind = text(archive, at + 156, 1);
    if ((kind === '0' || kind === '') && name.split('/').at(-1) === fileName) {
      return archive.subarray(at + BLOCK, at + BLOCK + size);
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`the archive holds no ${fileName}`);
}

function text(archive: Buffer, start: number, length: number): string {
  return archive.toString('latin1', start, start + length).split('\0')[0] ?? '';
}
