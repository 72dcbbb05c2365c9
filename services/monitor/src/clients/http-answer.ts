import { parseRetryAfter, withDeadline } from '@casewatch/platform';
import { type Dispatcher, request } from 'undici';

export type HttpAnswer = { status: number; contentType: string; body: string; retryAfterMs?: number | null };

type Options = Partial<Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>> & {
  dispatcher: Dispatcher;
  timeoutMs: number;
};

/** @throws Error: network, time-out, size */
export async function requestAnswer(url: string, { timeoutMs, ...options }: Options): Promise<HttpAnswer> {
  async function answer(): Promise<HttpAnswer> {
    const { statusCode, headers, body } = await request(url, {
      ...options,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const textOf = (name: string) => String(headers[name] ?? '');
    const retryAfterMs = parseRetryAfter(textOf('retry-after'), new Date());
    return { status: statusCode, contentType: textOf('content-type'), retryAfterMs, body: await body.text() };
  }
  // The signal does not end a request that waits for its connection.
  return await withDeadline(answer(), timeoutMs, 'an answer of USCIS');
}
