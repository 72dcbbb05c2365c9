import type { IncomingMessage } from 'node:http';
import { ApiError } from '@casewatch/platform';

/**
 * Null if there is no body. It never settles if the client leaves: the caller watches for that.
 * @throws ApiError payload_too_large, request_timeout
 */
export function readBody(
  req: IncomingMessage,
  { withinMs, maxBytes }: { withinMs: number; maxBytes: number },
): Promise<Buffer> | null {
  const announced = req.headers['content-length'];
  if (req.headers['transfer-encoding'] === undefined && (announced === undefined || announced === '0'))
    return null;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => reject(tooSlow(withinMs)), withinMs);
  const take = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else reject(new ApiError('payload_too_large'));
  };
  req.on('data', take).once('end', () => resolve(Buffer.concat(chunks)));
  return promise.finally(() => {
    clearTimeout(timer);
    // A client that is still sending would otherwise miss the response.
    req.off('data', take).resume();
  });
}

function tooSlow(ms: number): ApiError {
  const detail = `body not complete within ${ms} ms`;
  return new ApiError('request_timeout', { detail, headers: { connection: 'close' } });
}
