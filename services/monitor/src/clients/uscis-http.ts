import type { Agent } from 'undici';
import type { HttpAnswer } from './read-answer.ts';

const maxBodyBytes = 256 * 1024;

/** The slot was over before the request could be written: nothing was sent. */
export class MissedSlotError extends Error {
  override readonly name = 'MissedSlotError';
}

type Options = {
  agent: Agent;
  url: URL;
  headers: Record<string, string>;
  timeoutMs: number;
  /** Asked at the moment of writing; false = the slot is over. */
  mayWrite: () => boolean;
};

/**
 * One GET without redirects or retries. Only undici's `dispatch` tells when the socket is ready to write.
 * @throws MissedSlotError, or Error: network, time-out, answer too large
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
          // Thrown, not aborted: the connection stays open for the next slot.
          if (!mayWrite()) throw new MissedSlotError('the slot is over');
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
