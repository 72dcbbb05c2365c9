import { type EventData, type LimitPolicy, maxCountsPerMessage } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';

/** A replica without a message for this time is gone, ms. */
const goneAfterMs = 1_000;
/** Interval of the messages of a gateway that knows no other one and has no counts, ms. */
const presenceMs = 10_000;
/** Timeout of a sync, ms. */
const syncTimeoutMs = 100;

type Counted = EventData<'gateway.counted'>;
type Count = Counted['counts'][number];

export type Exchange = {
  increment(policy: LimitPolicy, id: string): void;
  /** Requests of this gateway that another gateway may not have counted yet. */
  unconfirmed(policy: LimitPolicy, id: string): number;
  /** Number of gateways, this one included. */
  replicas(): number;
  publish(): void;
  onCounted(message: Counted): void;
  /** Publishes and asks the others to publish; resolves on their replies, or after the timeout. */
  requestSync(): Promise<void>;
};

type Options = { bus: Bus; replica: string; now: () => number };

/** Counts are pending until published, and in flight until every other replica has sent a message: then the round ends. */
export function createExchange({ bus, replica, now }: Options): Exchange {
  const lastSeen = new Map<string, number>();
  const pending = new Map<string, Count>();
  const inFlight = new Map<string, number>();
  let awaitedReplicas = new Set<string>();
  let sentAt = Number.NEGATIVE_INFINITY;
  let sync: { readonly over: Promise<void>; onSync(): void } | undefined;

  function beginRound(): void {
    awaitedReplicas = new Set(lastSeen.keys());
    if (awaitedReplicas.size === 0) endRound();
  }

  function endRound(): void {
    awaitedReplicas.clear();
    inFlight.clear();
    sync?.onSync();
    sync = undefined;
  }

  function send(ask: boolean): void {
    const counts = [...pending.values()];
    pending.clear();
    sentAt = now();
    if (!bus.isConnected()) {
      // Late counts would belong to another minute.
      lastSeen.clear();
      // The others hear of this gateway as soon as it is connected again.
      sentAt = Number.NEGATIVE_INFINITY;
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
      const count = pending.get(key);
      if (count) count[2] += 1;
      else pending.set(key, [policy, id, 1]);
    },
    unconfirmed(policy, id) {
      const key = keyOf(policy, id);
      return (pending.get(key)?.[2] ?? 0) + (inFlight.get(key) ?? 0);
    },
    replicas: () => 1 + lastSeen.size,
    publish() {
      const goneSince = now() - goneAfterMs;
      for (const [other, at] of lastSeen) if (at < goneSince) lastSeen.delete(other);
      if (lastSeen.size === 0 && pending.size === 0 && now() - sentAt < presenceMs) return;
      send(false);
      for (const other of awaitedReplicas) {
        if (!lastSeen.has(other) && awaitedReplicas.delete(other) && awaitedReplicas.size === 0) endRound();
      }
      if (awaitedReplicas.size === 0) beginRound();
    },
    onCounted({ replica: other, ask }) {
      const isNew = !lastSeen.has(other);
      lastSeen.set(other, now());
      if (ask || isNew) send(false);
      if (awaitedReplicas.delete(other) && awaitedReplicas.size === 0) endRound();
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

/** In a flood of addresses with one request each, small counts are dropped: each gateway sees its own part. */
function largest(counts: Count[]): Count[] {
  if (counts.length <= maxCountsPerMessage) return counts;
  return counts.sort(([, , a], [, , b]) => b - a).slice(0, maxCountsPerMessage);
}
