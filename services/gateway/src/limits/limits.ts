import type { LimitPolicy } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { createCallers } from './callers.ts';
import { type Exchange, startExchange } from './exchange.ts';
import { addTo, moreRoomInMs, usedOf, windowMs } from './sliding-window.ts';

/** What a caller is told of its limit. */
export type Verdict = {
  readonly policy: LimitPolicy;
  /** Whether there was room for the request. */
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until there is more room; 0 where nothing is counted. */
  readonly moreInS: number;
};

export type Limits = {
  /** Counts one request, if there is room for it. @param times how often the policy's limit `id` may use */
  take(policy: LimitPolicy, id: string, times?: number): Promise<Verdict>;
  /** As things stand, counting nothing. */
  look(policy: LimitPolicy, id: string, times?: number): Verdict;
  stop(): void;
};

type Options = {
  /** Requests a minute. */
  perMinute: Readonly<Record<LimitPolicy, number>>;
  bus: Bus;
  /** This gateway's name among the gateways. */
  replica: string;
  /** Milliseconds on a clock that never goes back. */
  now: () => number;
};

/** How far above a limit the gateways may end together, as a share of it: the design allows 0.05. */
const tolerance = 0.03;
/** How long a request may be held back to hear what the others let in, ms. */
const patienceMs = 500;

/**
 * Limits per minute, shared by all gateways. Each counts what it lets in, and hears of the others' every 250 ms. A burst
 * could use a limit up at each of them within that time: so a gateway lets in at most its share of what remains before
 * it has caught up with the others, and holds the next request back for the few milliseconds that this takes.
 */
export function startLimits({ perMinute, bus, replica, now }: Options): Limits {
  const callers = createCallers();
  const exchange = startExchange({
    bus,
    replica,
    now,
    onCounts(counts) {
      for (const [policy, id, count] of counts) addTo(callers.windowOf(policy, id), count, now());
    },
  });

  const sweeping = setInterval(() => callers.sweep(now()), windowMs);

  function look(policy: LimitPolicy, id: string, times = 1): Verdict {
    const limit = perMinute[policy] * times;
    const window = callers.peek(policy, id);
    const remaining = Math.max(0, limit - usedOf(window, now()));
    const moreInS = Math.ceil(moreRoomInMs(window, limit, now()) / 1000);
    return { policy, isAllowed: remaining > 0, limit, remaining, moreInS };
  }

  return {
    async take(policy, id, times = 1) {
      const limit = perMinute[policy] * times;
      const patientUntil = now() + patienceMs;
      for (;;) {
        const window = callers.windowOf(policy, id);
        const remaining = limit - usedOf(window, now());
        if (remaining <= 0) return { ...look(policy, id, times), isAllowed: false };
        const unheard = exchange.unheard(policy, id);
        if (isWithinShare({ limit, remaining, unheard, exchange }) || now() >= patientUntil) {
          addTo(window, 1, now());
          exchange.note(policy, id);
          return { ...look(policy, id, times), isAllowed: true };
        }
        await exchange.catchUp();
      }
    },
    look,
    stop() {
      clearInterval(sweeping);
      exchange.stop();
    },
  };
}

type Standing = { limit: number; remaining: number; unheard: number; exchange: Exchange };

/** Whether one more is within this gateway's share, even if every other gateway is using up its own unheard. */
function isWithinShare({ limit, remaining, unheard, exchange }: Standing): boolean {
  if (unheard === 0) return true;
  const sharedWhenLastHeard = remaining + unheard + limit * tolerance;
  return (unheard + 1) * exchange.replicas() <= sharedWhenLastHeard;
}
