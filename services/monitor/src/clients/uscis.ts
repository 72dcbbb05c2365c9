import { inSpan } from '@casewatch/platform';
import { Agent } from 'undici';
import type { MonitorConfig } from '../config.ts';
import type { HttpAnswer } from './read-answer.ts';
import { getOnce } from './uscis-http.ts';
import { createTokens } from './uscis-token.ts';

type Call = { token: string; timeoutMs: number; mayWrite: () => boolean };

export type Uscis = ReturnType<typeof createUscis>;

type Settings = Pick<
  MonitorConfig,
  'USCIS_TOKEN_URL' | 'USCIS_API_URL' | 'USCIS_CLIENT_ID' | 'USCIS_CLIENT_SECRET' | 'USCIS_DEMO_ID'
>;

const connectTimeoutMs = 6_000;
const maxBodyBytes = 256 * 1024;

/** Client of the USCIS case status API (upstream.md). It logs nothing of a request or an answer. */
export function createUscis(settings: Settings, maxInFlight: number) {
  const { USCIS_API_URL: apiUrl, USCIS_DEMO_ID: demoId } = settings;
  const agent = new Agent({
    connections: maxInFlight,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    maxResponseSize: maxBodyBytes,
  });
  const tokens = createTokens(agent, settings);
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
