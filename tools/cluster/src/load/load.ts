import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';

/** One kind of request. A kind of weight 2 is sent twice as often as one of weight 1. */
export type Kind = {
  name: string;
  weight: number;
  make(): { method: 'GET' | 'POST' | 'PUT'; path: string; body?: unknown };
  isGood(status: number): boolean;
};

export type Failure = { kind: string; at: string; error: string };

export type Totals = { sent: number; failures: Failure[]; p50Ms: number; p99Ms: number; perSecond: number };

export type LoadOptions = {
  origin: string;
  headers: Record<string, string>;
  kinds: readonly Kind[];
  /** Requests per second, sent whether or not earlier requests were answered. */
  rate: number;
};

const connections = 64;
const tickMs = 20;
/** Longer than any operation takes. A request without an answer by then has failed. */
const patienceMs = 20_000;

/** Sends requests at an even rate over kept-alive connections until `stop`. */
export function startLoad({ origin, headers, kinds, rate }: LoadOptions) {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
  });
  const failures: Failure[] = [];
  const times: number[] = [];
  const inFlight = new Set<Promise<void>>();
  const started = performance.now();
  let sent = 0;
  let isStopping = false;

  async function send(kind: Kind): Promise<void> {
    const began = performance.now();
    const { body, ...request } = kind.make();
    try {
      const answer = await pool.request({
        ...request,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      if (!kind.isGood(answer.statusCode)) fail(kind, `${answer.statusCode} ${codeOf(text)}`);
    } catch (err) {
      fail(kind, describe(err));
    }
    times.push(performance.now() - began);
  }

  function fail({ name }: Kind, error: string): void {
    failures.push({ kind: name, at: new Date().toISOString(), error });
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const due = Math.floor(((performance.now() - started) / 1000) * rate);
      for (; sent < due; sent++) {
        const work = send(pick(kinds, sent));
        inFlight.add(work);
        void work.finally(() => inFlight.delete(work));
      }
      await delay(tickMs);
    }
  }

  const running = run();
  return {
    sent: () => sent,
    failures,
    async stop(): Promise<Totals> {
      isStopping = true;
      await running;
      const perSecond = sent / ((performance.now() - started) / 1000);
      await Promise.all(inFlight);
      await pool.destroy();
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
      return { sent, failures, p50Ms: at(0.5), p99Ms: at(0.99), perSecond };
    },
  };
}

function pick(kinds: readonly Kind[], turn: number): Kind {
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  // A step that shares no factor with the total visits every place, and neighbours differ.
  let place = (turn * 37) % total;
  for (const kind of kinds) {
    if (place < kind.weight) return kind;
    place -= kind.weight;
  }
  throw new Error('there is nothing to send');
}

function codeOf(text: string): string {
  return /"code":"([a-z_]+)"/.exec(text)?.[1] ?? text.slice(0, 80); // the error catalogue's code
}

function describe(err: unknown): string {
  const { code, message } = err as { code?: string; message?: string };
  return code ?? message ?? String(err);
}
