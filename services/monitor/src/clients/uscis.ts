import { inSpan } from '@casewatch/platform';
import { Agent } from 'undici';
import type { HttpAnswer } from './read-answer.ts';
import { getOnce } from './uscis-http.ts';
import { createTokens } from './uscis-token.ts';

type Call = { token: string; timeoutMs: number; mayWrite: () => boolean };

export type Uscis = ReturnType<typeof createUscis>;

type Settings = {
  tokenUrl: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  demoId: string;
  maxInFlight: number;
};

const connectTimeoutMs = 6_000;
const maxBodyBytes = 256 * 1024;

/** Client of the USCIS case status API (upstream.md). It logs nothing of a request or an answer. */
export function createUscis({ tokenUrl, apiUrl, demoId, maxInFlight, ...keys }: Settings) {
  const agent = new Agent({
    connections: maxInFlight,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    maxResponseSize: maxBodyBytes,
  });
  const tokens = createTokens({ ...keys, agent, url: tokenUrl });
  const casesUrl = apiUrl.replace(/\/$/, '');
  const headers = { accept: 'application/json', ...(demoId === '' ? {} : { demo_id: demoId }) };

  return {
    token: tokens.current,
    discardToken: tokens.discard,
    async get(receiptNumber: string, { token, ...call }: Call): Promise<HttpAnswer> {
      const url = new URL(`${casesUrl}/${encodeURIComponent(receiptNumber)}`);
      // The path holds the receipt number, so the span has no address.
      return await inSpan({ name: 'GET case-status', kind: 'client' }, async (span) => {
        const authorization = `Bearer ${token}`;
        const answer = await getOnce({ agent, url, headers: { ...headers, authorization }, ...call });
        span?.setAttribute('http.response.status_code', answer.status);
        return answer;
      });
    },
    close: () => agent.destroy(),
  };
}
