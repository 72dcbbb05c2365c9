import type { IncomingMessage } from 'node:http';
import { ApiError, maxBodyBytes } from '@casewatch/platform';

/**
 * Has all of a request's body before it costs a service anything; null where the request has none. It never settles
 * where the client leaves: the caller watches for that.
 * @throws ApiError payload_too_large as soon as there is more than 16 KiB, request_timeout after `withinMs`
 */
export function readBody(req: IncomingMessage, withinMs: number): Promise<Buffer> | null {
  const announced = req.headers['content-length'];
  if (req.headers['transfer-encoding'] === undefined && (announced === undefined || announced === '0'))
    return null;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => reject(tooSlow(withinMs)), withinMs);
  const take = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
    else reject(new ApiError('payload_too_large'));
  };
  req.on('data', take).once('end', () => resolve(Buffer.concat(chunks)));
  return promise.finally(() => {
    clearTimeout(timer);
    // The rest is read and dropped: a client that is still sending would otherwise miss the answer.
    req.off('data', take).resume();
  });
}

/** The connection ends: what comes of the body later belongs to nothing. */
function tooSlow(ms: number): ApiError {
  const detail = `body not complete within ${ms} ms`;
  return new ApiError('request_timeout', { detail, headers: { connection: 'close' } });
}
