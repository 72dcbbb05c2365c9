import { type EventData, type LimitPolicy, maxCountsPerMessage } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';

/** A replica that is silent for this long is gone, ms. */
const goneAfterMs = 1_000;
/** Longest wait for the replies to a sync, ms. */
const syncTimeoutMs = 100;

type Counted = EventData<'gateway.counted'>;
type Count = Counted['counts'][number];

/** The gateways' exchange of the requests that each of them lets in. */
export type Exchange = {
  /** Adds one request that this gateway let in. */
  increment(policy: LimitPolicy, id: string): void;
  /** This gateway's own requests that another gateway may not have counted yet. */
  unconfirmed(policy: LimitPolicy, id: string): number;
  /** How many gateways there are, this one included. */
  replicas(): number;
  /** Publishes the pending counts, and drops replicas that are gone. */
  publish(): void;
  /** Notes that another replica is there, and replies if it asks for that. */
  receive(message: Counted): void;
  /** Publishes and asks all others to do the same; resolves on their replies, or after 100 ms. */
  requestSync(): Promise<void>;
};

type Options = { bus: Bus; replica: string; now: () => number };

/**
 * Counts are pending until they are published, and in flight until each other replica has sent a message since: then the
 * round is over. Without the bus there are no others.
 */
export function createExchange({ bus, replica, now }: Options): Exchange {
  const lastSeen = new Map<string, number>();
  const pending = new Map<string, Count>();
  const inFlight = new Map<string, number>();
  /** The replicas whose next message ends the round. */
  let awaited = new Set<string>();
  let sync: { readonly over: Promise<void>; onSync(): void } | undefined;

  function beginRound(): void {
    awaited = new Set(lastSeen.keys());
    if (awaited.size === 0) endRound();
  }

  function endRound(): void {
    awaited.clear();
    inFlight.clear();
    sync?.onSync();
    sync = undefined;
  }

  function send(ask: boolean): void {
    const counts = [...pending.values()];
    pending.clear();
    if (!bus.isConnected()) {
      // Counts that arrive late would be added to the wrong minute: they are dropped.
      lastSeen.clear();
      return;
    }
    for (const [policy, id, count] of counts) {
      const key = keyOf(policy, id);
      inFlight.set(key, (inFlight.get(key) ?? 0) + count);
    }
    bus.publish('gateway.counted', { replica, ask, counts: largest(counts) });
  }

  return {
    increment(policy, id) {
      const key = keyOf(policy, id);
      pending.set(key, [policy, id, (pending.get(key)?.[2] ?? 0) + 1]);
    },
    unconfirmed(policy, id) {
      const key = keyOf(policy, id);
      return (pending.get(key)?.[2] ?? 0) + (inFlight.get(key) ?? 0);
    },
    replicas: () => 1 + lastSeen.size,
    publish() {
      const goneSince = now() - goneAfterMs;
      for (const [other, at] of lastSeen) if (at < goneSince) lastSeen.delete(other);
      send(false);
      for (const other of awaited) {
        if (!lastSeen.has(other) && awaited.delete(other) && awaited.size === 0) endRound();
      }
      if (awaited.size === 0) beginRound();
    },
    receive({ replica: other, ask }) {
      const isNew = !lastSeen.has(other);
      lastSeen.set(other, now());
      if (ask || isNew) send(false);
      if (awaited.delete(other) && awaited.size === 0) endRound();
    },
    async requestSync() {
      if (!sync) {
        send(true);
        sync = createSync(endRound);
        beginRound();
      }
      await sync?.over;
    },
  };
}

function createSync(onTimeout: () => void) {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(onTimeout, syncTimeoutMs);
  const onSync = () => {
    clearTimeout(timer);
    resolve();
  };
  return { over, onSync };
}

function keyOf(policy: LimitPolicy, id: string): string {
  return `${policy} ${id}`;
}

/** In a flood of addresses with a request each, the small counts are left out: each gateway sees its own part. */
function largest(counts: Count[]): Count[] {
  if (counts.length <= maxCountsPerMessage) return counts;
  return counts.sort(([, , a], [, , b]) => b - a).slice(0, maxCountsPerMessage);
}
