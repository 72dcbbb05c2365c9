import { ApiError } from '@casewatch/platform';
import type { Request } from 'express';

/**
 * A request without one clear host, or that expects what is not known here. A proxy in front may have read another host
 * (RFC 9112 §3.2). Null if the request is none of these.
 */
export function ambiguityOf(req: Request): ApiError | null {
  const message = faultOf(req);
  return message === undefined ? null : new ApiError('validation_failed', { message });
}

function faultOf({ url, rawHeaders, headers, httpVersion }: Request): string | undefined {
  // A request line without a version.
  if (httpVersion === '0.9') return 'The request is not valid HTTP.';
  if (!url.startsWith('/')) return 'The request line must begin its path with /.';
  const hosts = countOfHosts(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return 'Send one Host header.';
  // RFC 9110 §10.1.1; in HTTP/1.0 the header has no meaning.
  const { expect } = headers;
  if (expect !== undefined && httpVersion === '1.1' && expect.toLowerCase() !== '100-continue')
    return 'The Expect header can only be 100-continue; remove it.';
  return undefined;
}

/** @param rawHeaders names and values in turn */
function countOfHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
