import { Agent } from 'undici';
import type { HttpAnswer } from './read-answer.ts';
import { getOnce } from './uscis-http.ts';
import { createTokens } from './uscis-token.ts';

type Call = {
  token: string;
  timeoutMs: number;
  /** Asked once, at the moment of writing; false = not now. */
  mayWrite: () => boolean;
};

export type Uscis = ReturnType<typeof createUscis>;

type Settings = {
  tokenUrl: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  /** Sent as `demo_id` during the demonstration for production access. */
  demoId: string;
  maxInFlight: number;
};

/** Longest wait for a connection, ms. */
const connectWithinMs = 6_000;

/** The government's Case Status API (upstream.md). Nothing of a request or an answer is logged here. */
export function createUscis({ tokenUrl, apiUrl, demoId, maxInFlight, ...keys }: Settings) {
  const agent = new Agent({
    connections: maxInFlight,
    pipelining: 1,
    connect: { timeout: connectWithinMs },
  });
  const tokens = createTokens({ ...keys, agent, url: tokenUrl });
  const casesUrl = apiUrl.replace(/\/$/, '');
  const headers = { accept: 'application/json', ...(demoId === '' ? {} : { demo_id: demoId }) };

  return {
    /** @throws KeysRefusedError, or Error where there is no token within the time, ms */
    token: tokens.current,
    /** A token that was refused is not used again. */
    discardToken: tokens.discard,
    /** Sends one request for one receipt. @throws MissedTurnError, or the network's error, time-out or over-long body */
    async get(receiptNumber: string, { token, ...call }: Call): Promise<HttpAnswer> {
      const url = new URL(`${casesUrl}/${encodeURIComponent(receiptNumber)}`);
      return await getOnce({
        agent,
        url,
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...call,
      });
    },
    async close(): Promise<void> {
      await agent.destroy();
    },
  };
}
