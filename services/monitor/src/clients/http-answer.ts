import {
  ExchangeError,
  type HttpCall,
  type HttpClient,
  parseRetryAfter,
  withDeadline,
} from '@casewatch/platform';

export type HttpAnswer = { status: number; contentType: string; body: string; retryAfterMs?: number | null };

type Options = Pick<HttpCall, 'method' | 'headers' | 'beforeSending'> & {
  client: HttpClient;
  body?: string;
  timeoutMs: number;
};

const connectMs = 6_000;
const maxBodyBytes = 256 * 1024;

/** @throws Error: network, time-out, size; what `beforeSending` throws */
export async function requestAnswer(
  url: string,
  { client, timeoutMs, ...options }: Options,
): Promise<HttpAnswer> {
  async function answer(): Promise<HttpAnswer> {
    const signal = AbortSignal.timeout(timeoutMs);
    const limits = { connectMs, readBytes: maxBodyBytes };
    const { status, headers, body, isWhole } = await client.exchange({
      ...options,
      ...limits,
      // `beforeSending` is asked again: a check takes another slot, and is charged for it.
      resend: true,
      url: new URL(url),
      signal,
    });
    if (!isWhole)
      throw new Error(body.length > maxBodyBytes ? 'the answer is too large' : 'the answer was cut off');
    const retryAfterMs = parseRetryAfter(headers['retry-after'] ?? '', new Date());
    return { status, contentType: headers['content-type'] ?? '', retryAfterMs, body: body.toString('utf8') };
  }
  // With the error of the connection or the parser: its code names the cause.
  const failed = (error: unknown) => {
    throw error instanceof ExchangeError ? error.cause : error;
  };
  return await withDeadline(answer().catch(failed), timeoutMs, 'an answer of USCIS');
}
