import { ApiError } from '@casewatch/platform';
import type { Request } from 'express';

/**
 * Two Host headers, or a host in the request line: a proxy in front may have read another host (RFC 9112 §3.2).
 * @throws ApiError validation_failed
 */
export function refuseAmbiguous(req: Request): void {
  if (!req.url.startsWith('/')) {
    throw new ApiError('validation_failed', { message: 'The request line must begin its path with /.' });
  }
  if (countOfHosts(req.rawHeaders) > 1) {
    throw new ApiError('validation_failed', { message: 'Send one Host header.' });
  }
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
