import { Agent } from 'undici';
import type { Outcome } from '../domain/outcome.ts';
import { readAnswer } from './read-answer.ts';
import { getOnce, MissedTurnError } from './uscis-http.ts';
import { createTokens, KeysRefusedError } from './uscis-token.ts';

/** The right to write one request at one moment; `sent` is its place in the order of sending. */
export type Turn = { readonly sent: number; readonly mayWrite: () => boolean };

export type Checked = { outcome: Outcome; sent: number };

export type Uscis = {
  /**
   * Asks for one receipt. `turn` is awaited before each request (a second one follows a 401): what it throws is thrown.
   * Token and call together take at most 6 s, waiting for turns not counted.
   */
  check(receiptNumber: string, turn: () => Promise<Turn>): Promise<Checked>;
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

const timeoutMs = 6_000;
/** So many turns are missed only where the process gets no time at all. */
const maxTurns = 20;

/** The government's Case Status API (upstream.md). Nothing of a request or an answer is logged here. */
export function createUscis(settings: Settings): Uscis {
  const agent = new Agent({
    connections: settings.maxInFlight,
    pipelining: 1,
    connect: { timeout: timeoutMs },
  });
  const tokens = createTokens({ ...settings, agent, url: settings.tokenUrl });
  const headers = {
    accept: 'application/json',
    ...(settings.demoId === '' ? {} : { demo_id: settings.demoId }),
  };

  return {
    async check(receiptNumber, turn) {
      const url = new URL(`${settings.apiUrl.replace(/\/$/, '')}/${encodeURIComponent(receiptNumber)}`);
      const time = stopwatch(timeoutMs);
      let refusals = 0;
      let sent = 0;
      for (let turns = 0; turns < maxTurns; turns++) {
        const token = await time.measure((leftMs) => tokens.current(leftMs));
        if (token instanceof Error) return { outcome: failed(token), sent };
        const granted = await turn();
        sent = granted.sent;
        const authorised = { ...headers, authorization: `Bearer ${token}` };
        const call = { agent, url, headers: authorised, mayWrite: granted.mayWrite };
        const answer = await time.measure((leftMs) => getOnce({ ...call, timeoutMs: leftMs }));
        if (answer instanceof MissedTurnError) continue;
        const outcome = answer instanceof Error ? failed(answer) : readAnswer(answer);
        if (outcome.outcome !== 'unauthorised' || ++refusals === 2) return { outcome, sent };
        tokens.discard(token);
      }
      return { outcome: { outcome: 'failed', reason: 'no turn was kept' }, sent };
    },
    async close() {
      await agent.destroy();
    },
  };
}

/** No turn is to be had: budget, breaker, hours, lease, or a wait that was too long. */
export class TurnRefusedError extends Error {
  override readonly name = 'TurnRefusedError';
  /** When it is worth asking again, ms. */
  readonly waitMs: number;

  constructor(reason: string, waitMs: number) {
    super(reason);
    this.waitMs = waitMs;
  }
}

/** The kind of failure alone: a message may quote what it complains of. */
function failed(error: Error): Outcome {
  if (error instanceof KeysRefusedError) return { outcome: 'unauthorised' };
  return { outcome: 'failed', reason: 'code' in error ? String(error.code) : error.name };
}

/** Measures what is spent of a time that several calls share; a failure is returned, not thrown. */
function stopwatch(totalMs: number) {
  let leftMs = totalMs;
  return {
    async measure<T>(work: (leftMs: number) => Promise<T>): Promise<T | Error> {
      const startedMs = performance.now();
      try {
        return await work(Math.max(Math.ceil(leftMs), 1));
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      } finally {
        leftMs -= performance.now() - startedMs;
      }
    },
  };
}
