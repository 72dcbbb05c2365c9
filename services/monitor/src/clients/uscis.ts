import { Agent } from 'undici';
import type { Outcome } from '../domain/outcome.ts';
import { readAnswer } from './read-answer.ts';
import { createStopwatch, type Stopwatch } from '../sending/stopwatch.ts';
import { getOnce, MissedTurnError } from './uscis-http.ts';
import { createTokens, KeysRefusedError } from './uscis-token.ts';

/** The right to write one request at one moment; `sent` is its place in the order of sending. */
export type Turn = {
  readonly sent: number;
  readonly isWritten: boolean;
  /** Asked once, at the moment of writing: true = written now. */
  mayWrite(): boolean;
  /** What was not written costs nothing. */
  release(): void;
};

export type Answered = { outcome: Outcome; sent: number };

export type Uscis = {
  /**
   * Asks for one receipt. `turn` is awaited before each request (a second one follows a 401): what it throws is thrown.
   * Tokens and calls together take at most what `work` has left (6 s where it is left out), waits for turns not counted.
   * @throws TurnRefusedError, also where no turn could be kept
   */
  check(receiptNumber: string, turn: () => Promise<Turn>, work?: Stopwatch): Promise<Answered>;
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

/** Token and call together (monitor.md, Budget), ms. */
export const workMs = 6_000;
/** So many turns are missed only where the process gets no time at all. */
const maxTurns = 20;

/** The government's Case Status API (upstream.md). Nothing of a request or an answer is logged here. */
export function createUscis(settings: Settings): Uscis {
  const agent = new Agent({
    connections: settings.maxInFlight,
    pipelining: 1,
    connect: { timeout: workMs },
  });
  const tokens = createTokens({ ...settings, agent, url: settings.tokenUrl });
  const headers = {
    accept: 'application/json',
    ...(settings.demoId === '' ? {} : { demo_id: settings.demoId }),
  };

  return {
    async check(receiptNumber, turn, work = createStopwatch(workMs)) {
      const url = new URL(`${settings.apiUrl.replace(/\/$/, '')}/${encodeURIComponent(receiptNumber)}`);
      let refusals = 0;
      let sent = 0;
      for (let turns = 0; turns < maxTurns; turns++) {
        if (work.leftMs <= 0) return { outcome: { outcome: 'failed', reason: 'time-out' }, sent };
        const token = await caught(work.measure((leftMs) => tokens.current(leftMs)));
        if (token instanceof Error) return { outcome: failed(token), sent };
        const granted = await caught(turn());
        if (granted instanceof Error) {
          if (sent === 0) throw granted;
          return { outcome: { outcome: 'failed', reason: 'no second turn after a 401' }, sent };
        }
        const authorised = { ...headers, authorization: `Bearer ${token}` };
        const call = { agent, url, headers: authorised, mayWrite: granted.mayWrite };
        const answer = await caught(work.measure((timeoutMs) => getOnce({ ...call, timeoutMs })));
        granted.release();
        if (answer instanceof MissedTurnError) continue;
        sent = granted.sent;
        const outcome = answer instanceof Error ? failed(answer) : readAnswer(answer);
        if (outcome.outcome !== 'unauthorised' || ++refusals === 2) return { outcome, sent };
        tokens.discard(token);
      }
      throw new TurnRefusedError('no turn was kept', 1_000);
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

/** A failure is returned, not thrown. */
async function caught<T>(work: Promise<T>): Promise<T | Error> {
  try {
    return await work;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
