type PictureType = 'png' | 'jpg' | 'webp';

const pngStart = '89504e470d0a1a0a';
const jpegStart = 'ffd8ff';

/** The first bytes decide, not the header of the answer: an SVG or a page can contain script. */
export function typeOfPicture(bytes: Buffer): PictureType | null {
  const start = bytes.toString('hex', 0, 8);
  if (start === pngStart) return 'png';
  if (start.startsWith(jpegStart)) return 'jpg';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'webp' : null;
}
