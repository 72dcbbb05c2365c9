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

export type Uscis = {
  /** @throws KeysRefusedError, or Error where there is no token within `timeoutMs` */
  token(timeoutMs: number): Promise<string>;
  /** A token that was refused is not used again. */
  discardToken(token: string): void;
  /** Sends one request for one receipt. @throws MissedTurnError, or the network's error, time-out or over-long body */
  get(receiptNumber: string, call: Call): Promise<HttpAnswer>;
  close(): Promise<void>;
};

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
export function createUscis({ tokenUrl, apiUrl, demoId, maxInFlight, ...keys }: Settings): Uscis {
  const agent = new Agent({
    connections: maxInFlight,
    pipelining: 1,
    connect: { timeout: connectWithinMs },
  });
  const tokens = createTokens({ ...keys, agent, url: tokenUrl });
  const casesUrl = apiUrl.replace(/\/$/, '');
  const headers = { accept: 'application/json', ...(demoId === '' ? {} : { demo_id: demoId }) };

  return {
    token: tokens.current,
    discardToken: tokens.discard,
    async get(receiptNumber, { token, ...call }) {
      const url = new URL(`${casesUrl}/${encodeURIComponent(receiptNumber)}`);
      return await getOnce({
        agent,
        url,
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...call,
      });
    },
    async close() {
      await agent.destroy();
    },
  };
}
