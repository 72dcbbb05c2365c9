import { ApiError } from '../errors.ts';

/** Labels of UTF-8 and of ASCII, which is a part of it (WHATWG Encoding §4.2; IANA Character Sets). */
const labels = new Set([
  ...['utf-8', 'utf8', 'csutf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8'],
  ...['us-ascii', 'ascii', 'csascii', 'us', 'iso646-us', 'iso_646.irv:1991', 'iso-ir-6'],
  ...['ansi_x3.4-1968', 'ansi_x3.4-1986', 'ibm367', 'cp367'],
]);

/** @throws ApiError unsupported_media_type if the charset is neither UTF-8 nor ASCII */
export function checkCharset(contentType = ''): void {
  // a parameter, whose value may stand in quotes (RFC 9110 §5.6.6)
  const value = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^;]*))/i.exec(contentType);
  const label = value && (value[1] ?? value[2] ?? value[3] ?? '').trim().toLowerCase();
  if (label !== null && !labels.has(label))
    throw new ApiError('unsupported_media_type', { message: 'Send the body as UTF-8.' });
}

/** RFC 9110 §8.4. `identity` is no coding. @throws ApiError unsupported_media_type */
export function checkContentCoding(contentEncoding: string | undefined): void {
  const codings = (contentEncoding ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  if (codings.every((coding) => coding === '' || coding === 'identity')) return;
  throw new ApiError('unsupported_media_type', {
    message: 'Send the body without compression; remove the Content-Encoding header.',
    headers: { 'accept-encoding': 'identity' },
  });
}
