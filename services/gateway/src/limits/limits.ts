import type { EventData, LimitPolicy } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import type { GatewayConfig } from '../config.ts';
import { addTo, retryAfterMs, usedOf } from '../domain/sliding-window.ts';
import { createCallers } from './callers.ts';
import { createExchange, type Exchange } from './exchange.ts';

/** What a caller is told of its limit. */
export type Verdict = {
  readonly policy: LimitPolicy;
  /** Whether there was room for the request. */
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until there is more room; 0 where nothing is counted. */
  readonly retryAfterS: number;
};

export type Limits = {
  /** Counts one request, if there is room for it. @param times how often the policy's limit `id` may use */
  take(policy: LimitPolicy, id: string, times?: number): Promise<Verdict>;
  /** As things stand, counting nothing. */
  look(policy: LimitPolicy, id: string, times?: number): Verdict;
  /** Tells the other gateways what this one let in since the last time. */
  publish(): void;
  /** Counts what another gateway let in. */
  receive(message: EventData<'gateway.counted'>): void;
  /** Forgets callers without a request in the last minute. */
  sweep(): void;
};

type Options = {
  config: GatewayConfig;
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
export function createLimits({ config, bus, replica, now }: Options): Limits {
  const perMinute = limitsPerMinute(config);
  const callers = createCallers();
  const exchange = createExchange({ bus, replica, now });

  function look(policy: LimitPolicy, id: string, times = 1): Verdict {
    const limit = perMinute[policy] * times;
    const window = callers.peek(policy, id);
    const remaining = Math.max(0, limit - usedOf(window, now()));
    const retryAfterS = Math.ceil(retryAfterMs(window, limit, now()) / 1000);
    return { policy, isAllowed: remaining > 0, limit, remaining, retryAfterS };
  }

  return {
    async take(policy, id, times = 1) {
      const limit = perMinute[policy] * times;
      const patientUntil = now() + patienceMs;
      for (;;) {
        const window = callers.windowOf(policy, id);
        const remaining = limit - usedOf(window, now());
        if (remaining <= 0) return { ...look(policy, id, times), isAllowed: false };
        const unconfirmed = exchange.unconfirmed(policy, id);
        if (isWithinShare({ limit, remaining, unconfirmed, exchange }) || now() >= patientUntil) {
          addTo(window, 1, now());
          exchange.increment(policy, id);
          return { ...look(policy, id, times), isAllowed: true };
        }
        await exchange.requestSync();
      }
    },
    look,
    publish: exchange.publish,
    receive(message) {
      if (message.replica === replica) return;
      for (const [policy, id, count] of message.counts) addTo(callers.windowOf(policy, id), count, now());
      exchange.receive(message);
    },
    sweep: () => callers.sweep(now()),
  };
}

/** The limits that the settings ask for, requests a minute; at least one. */
function limitsPerMinute(config: GatewayConfig): Readonly<Record<LimitPolicy, number>> {
  const scaled = (limit: number) => Math.max(1, Math.round(limit * config.RATE_LIMIT_SCALE));
  return {
    address: scaled(config.RATE_LIMIT_ADDRESS_PER_MINUTE),
    partner: scaled(config.RATE_LIMIT_PARTNER_PER_MINUTE),
    user: scaled(config.RATE_LIMIT_USER_PER_MINUTE),
  };
}

type Standing = { limit: number; remaining: number; unconfirmed: number; exchange: Exchange };

/** Whether one more is within this gateway's share, even if every other gateway uses up its own meanwhile. */
function isWithinShare({ limit, remaining, unconfirmed, exchange }: Standing): boolean {
  if (unconfirmed === 0) return true;
  const sharedWhenConfirmed = remaining + unconfirmed + limit * tolerance;
  return (unconfirmed + 1) * exchange.replicas() <= sharedWhenConfirmed;
}
