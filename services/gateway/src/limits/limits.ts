import type { EventData, LimitPolicy } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import type { GatewayConfig } from '../config.ts';
import { addTo, retryAfterMs, type SlidingWindow, usedOf } from '../domain/sliding-window.ts';
import { createCallers } from './callers.ts';
import { createExchange, type Exchange } from './exchange.ts';

export type Verdict = {
  readonly policy: LimitPolicy;
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until there is more room; 0 if nothing is counted. */
  readonly retryAfterS: number;
};

export type Limits = {
  /** Counts one request if there is room; a promise if other gateways must be asked. @param times factor on the limit of the policy */
  take(policy: LimitPolicy, id: string, times?: number): Verdict | Promise<Verdict>;
  /** The current state; counts nothing. */
  peek(policy: LimitPolicy, id: string, times?: number): Verdict;
  /** Counts a request that is refused anyway, if there is room; the counts of the other gateways do not matter. */
  countRefused(policy: LimitPolicy, id: string, times?: number): Verdict;
  /** Takes room for a request of which it is not known yet whether it counts. Returns the function that gives the room back. */
  hold(policy: LimitPolicy, id: string): () => void;
  publish(): void;
  /** Whether no other gateway is known. */
  isAlone(): boolean;
  onCounted(message: EventData<'gateway.counted'>): void;
  sweep(): void;
};

type Options = {
  config: GatewayConfig;
  bus: Bus;
  replica: string;
  now: () => number;
};

/** How far the gateways together may exceed a limit, as a share of it; the design allows 0.05. */
const tolerance = 0.03;
/** Longest wait for the counts of the other gateways, ms. */
const syncTimeoutMs = 500;

/** A gateway allows at most its share of the remaining requests before it has synced with the others (docs/adr/0008). */
export function createLimits({ config, bus, replica, now }: Options): Limits {
  const perMinute = limitsPerMinute(config);
  const callers = createCallers();
  const exchange = createExchange({ bus, replica, now });
  const held = new Map<string, number>();

  const limitOf = (policy: LimitPolicy, times: number) => perMinute[policy] * times;

  function peek(policy: LimitPolicy, id: string, times = 1): Verdict {
    const limit = limitOf(policy, times);
    const window = callers.peek(policy, id);
    return verdictOf(policy, { limit: limit - heldOf(policy, id), window, now: now() }, limit);
  }

  function heldOf(policy: LimitPolicy, id: string): number {
    return held.get(`${policy} ${id}`) ?? 0;
  }

  /** Undefined: the other gateways must be asked first. */
  function tryToTake({ policy, id, limit: whole }: Count, mayAsk: boolean): Verdict | undefined {
    const window = callers.windowOf(policy, id);
    const at = now();
    const limit = whole - heldOf(policy, id);
    const remaining = limit - usedOf(window, at);
    if (remaining <= 0) return { ...verdictOf(policy, { limit, window, now: at }, whole), isAllowed: false };
    const unconfirmed = exchange.unconfirmed(policy, id);
    if (mayAsk && !isWithinShare({ limit, remaining, unconfirmed, exchange })) return undefined;
    addTo(window, 1, at);
    exchange.increment(policy, id);
    return { ...verdictOf(policy, { limit, window, now: at }, whole), isAllowed: true };
  }

  async function takeAfterSync(count: Count): Promise<Verdict> {
    const syncUntil = now() + syncTimeoutMs;
    for (;;) {
      await exchange.requestSync();
      const verdict = tryToTake(count, now() < syncUntil);
      if (verdict) return verdict;
    }
  }

  return {
    take(policy, id, times = 1) {
      const count = { policy, id, limit: limitOf(policy, times) };
      return tryToTake(count, true) ?? takeAfterSync(count);
    },
    peek,
    countRefused(policy, id, times = 1) {
      const before = peek(policy, id, times);
      if (!before.isAllowed) return before;
      addTo(callers.windowOf(policy, id), 1, now());
      exchange.increment(policy, id);
      return { ...peek(policy, id, times), isAllowed: true };
    },
    hold(policy, id) {
      const key = `${policy} ${id}`;
      held.set(key, (held.get(key) ?? 0) + 1);
      return () => {
        const left = (held.get(key) ?? 0) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
      };
    },
    publish: exchange.publish,
    isAlone: () => exchange.replicas() === 1,
    onCounted(message) {
      if (message.replica === replica) return;
      for (const [policy, id, count] of message.counts) addTo(callers.windowOf(policy, id), count, now());
      exchange.onCounted(message);
    },
    sweep: () => callers.sweep(now()),
  };
}

type Count = { policy: LimitPolicy; id: string; limit: number };

type Counted = { limit: number; window: SlidingWindow; now: number };

/** @param shown the whole limit; `limit` is what requests in progress leave of it */
function verdictOf(policy: LimitPolicy, { limit, window, now }: Counted, shown: number): Verdict {
  const remaining = Math.max(0, limit - usedOf(window, now));
  const retryAfterS = Math.ceil(retryAfterMs(window, limit, now) / 1000);
  return { policy, isAllowed: remaining > 0, limit: shown, remaining, retryAfterS };
}

function limitsPerMinute(config: GatewayConfig): Readonly<Record<LimitPolicy, number>> {
  const scaled = (limit: number) => Math.max(1, Math.round(limit * config.RATE_LIMIT_SCALE));
  return {
    address: scaled(config.RATE_LIMIT_ADDRESS_PER_MINUTE),
    partner: scaled(config.RATE_LIMIT_PARTNER_PER_MINUTE),
    user: scaled(config.RATE_LIMIT_USER_PER_MINUTE),
  };
}

type ShareState = { limit: number; remaining: number; unconfirmed: number; exchange: Exchange };

/** True even if every other gateway uses up its own share. */
function isWithinShare({ limit, remaining, unconfirmed, exchange }: ShareState): boolean {
  if (unconfirmed === 0) return true;
  const sharedWhenConfirmed = remaining + unconfirmed + limit * tolerance;
  return (unconfirmed + 1) * exchange.replicas() <= sharedWhenConfirmed;
}
