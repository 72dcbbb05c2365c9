import type { Agent } from 'undici';
import type { HttpAnswer } from './read-answer.ts';

/** Largest answer that is read, bytes; a case is a few thousand. */
const maxBodyBytes = 256 * 1024;

/** The turn had passed before the request could be written: nothing was sent. */
export class MissedSlotError extends Error {
  override readonly name = 'MissedTurnError';
}

type Options = {
  agent: Agent;
  url: URL;
  headers: Record<string, string>;
  timeoutMs: number;
  /** Asked at the very moment before the request is written; false = not now. */
  mayWrite: () => boolean;
};

/**
 * One GET without redirects or retries. undici's dispatch is used as it is because it alone tells when the socket is
 * ready: a turn is judged there, not before a connection is made.
 * @throws MissedTurnError, or the network's error, time-out or over-long body
 */
export function getOnce({ agent, url, headers, timeoutMs, mayWrite }: Options): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let contentType = '';
    let abort = (reason: Error) => reject(reason);
    const timer = setTimeout(() => {
      const error = new Error(`no answer within ${Math.round(timeoutMs)} ms`);
      abort(error);
      reject(error);
    }, timeoutMs);
    const path = `${url.pathname}${url.search}`;
    agent.dispatch(
      { origin: url.origin, path, method: 'GET', headers },
      {
        onRequestStart(controller) {
          abort = (reason) => controller.abort(reason);
          // Thrown, not aborted: so the fresh connection stays for the next turn.
          if (!mayWrite()) throw new MissedSlotError('the turn had passed');
        },
        onResponseStart(_controller, statusCode, responseHeaders) {
          status = statusCode;
          contentType = String(responseHeaders['content-type'] ?? '');
        },
        onResponseData(controller, chunk) {
          size += chunk.length;
          if (size > maxBodyBytes) controller.abort(new Error('the answer is too large'));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(timer);
          resolve({ status, contentType, body: Buffer.concat(chunks).toString('utf8') });
        },
        onResponseError(_controller, error) {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
  });
}
