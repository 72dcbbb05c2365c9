import { inSpan } from '@casewatch/platform';
import { Agent } from 'undici';
import type { MonitorConfig } from '../config.ts';
import { type HttpAnswer, readHeaders } from './read-answer.ts';
import { createTokens } from './uscis-token.ts';

/** `mayWrite`: asked at the moment of writing; false = the slot is over. */
type Call = { token: string; timeoutMs: number; mayWrite: () => boolean };

export type Uscis = ReturnType<typeof createUscis>;

type Settings = Pick<
  MonitorConfig,
  'USCIS_TOKEN_URL' | 'USCIS_API_URL' | 'USCIS_CLIENT_ID' | 'USCIS_CLIENT_SECRET' | 'USCIS_DEMO_ID'
>;

const connectTimeoutMs = 6_000;
const maxBodyBytes = 256 * 1024;

/** The slot was over before the request could be written: nothing was sent. */
export class MissedSlotError extends Error {
  override readonly name = 'MissedSlotError';
}

/** Client of the USCIS case status API (upstream.md). It logs nothing of a request or an answer. */
export function createUscis(settings: Settings, maxInFlight: number) {
  const { USCIS_API_URL: apiUrl, USCIS_DEMO_ID: demo_id } = settings;
  const agent = new Agent({
    connections: maxInFlight,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    maxResponseSize: maxBodyBytes,
  });
  const tokens = createTokens(agent, settings);
  const casesUrl = apiUrl.replace(/\/$/, '');

  /** Only undici's `dispatch` tells when the socket is ready. @throws MissedSlotError, or Error: network, time-out, size */
  function getOnce(url: URL, { token, timeoutMs, mayWrite }: Call): Promise<HttpAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const chunks: Buffer[] = [];
    let answered: Omit<HttpAnswer, 'body'> = { status: 0, contentType: '' };
    let abort = reject;
    const timer = setTimeout(() => {
      const error = new Error(`no answer within ${Math.round(timeoutMs)} ms`);
      abort(error);
      reject(error);
    }, timeoutMs);
    const authorization = `Bearer ${token}`;
    const headers = { accept: 'application/json', ...(demo_id && { demo_id }), authorization };
    agent.dispatch(
      { origin: url.origin, path: `${url.pathname}${url.search}`, method: 'GET', headers },
      {
        onRequestStart(controller) {
          abort = (reason) => controller.abort(reason);
          // Thrown, not aborted: the connection stays open for the next slot.
          if (!mayWrite()) throw new MissedSlotError('the slot is over');
        },
        onResponseStart(_controller, status, responseHeaders) {
          answered = { status, ...readHeaders(responseHeaders) };
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          resolve({ ...answered, body: Buffer.concat(chunks).toString('utf8') });
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
    return promise.finally(() => clearTimeout(timer));
  }

  return {
    token: tokens.current,
    discardToken: tokens.discard,
    async get(receiptNumber: string, call: Call): Promise<HttpAnswer> {
      const url = new URL(`${casesUrl}/${encodeURIComponent(receiptNumber)}`);
      // The path holds the receipt number, so the span has no address.
      return await inSpan({ name: 'GET case-status', kind: 'client' }, async (span) => {
        const answer = await getOnce(url, call);
        span?.setAttribute('http.response.status_code', answer.status);
        return answer;
      });
    },
    close: () => agent.destroy(),
  };
}
