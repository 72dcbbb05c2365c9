import { parseRetryAfter } from '@casewatch/platform';
import type { Agent } from 'undici';
import type { HttpAnswer } from './read-answer.ts';

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

/** One GET; only undici's `dispatch` tells when the socket is ready. @throws MissedSlotError, or Error: network, time-out, size */
export function getOnce({ agent, url, headers, timeoutMs, mayWrite }: Options): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let answered: Omit<HttpAnswer, 'body'> = { status: 0, contentType: '' };
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
          answered = { status: statusCode, ...readHeaders(responseHeaders) };
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(timer);
          resolve({ ...answered, body: Buffer.concat(chunks).toString('utf8') });
        },
        onResponseError(_controller, error) {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
  });
}

export function readHeaders(
  headers: Record<string, string | string[] | undefined>,
): Pick<HttpAnswer, 'contentType' | 'retryAfterMs'> {
  const textOf = (name: string) => String(headers[name] ?? '');
  return {
    contentType: textOf('content-type'),
    retryAfterMs: parseRetryAfter(textOf('retry-after'), new Date()),
  };
}
