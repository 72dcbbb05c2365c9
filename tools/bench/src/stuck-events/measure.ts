import { setTimeout as delay } from 'node:timers/promises';
import { startMongo, startNats, startSibling, waitFor } from '@casewatch/testing';

/** What the handler throws for a stuck event. */
export type Stuck = () => Error;

type Settings = { error: Stuck; stuckCount: number; eventCount: number; perSecond: number };

const patience = { timeoutMs: 120_000 };
/** Stuck events have ids from here on. */
const firstStuck = 1_000_000;

/** Waits of events with none stuck in their stream, and then beside stuck ones, on the same servers. */
export async function measureEvents({ error, stuckCount, eventCount, perSecond }: Settings) {
  const [mongo, nats] = await Promise.all([startMongo({ own: true }), startNats()]);
  const [identity, notifier] = await Promise.all([
    startSibling('identity', mongo, nats),
    startSibling('notifier', mongo, nats),
  ]);
  const publishedAt = new Map<number, number>();
  const waits: number[] = [];
  const stuck = new Set<number>();
  notifier.consume({
    'status.updated': async () => {},
    'user.deleted': async ({ user_id: id }) => {
      if (id >= firstStuck) {
        stuck.add(id);
        throw error();
      }
      waits.push(performance.now() - (publishedAt.get(id) ?? 0));
    },
  });
  const publish = (id: number) =>
    identity.publish('user.deleted', { user_id: id, partner_id: 1, version: 2 });

  async function measure(firstId: number) {
    waits.length = 0;
    for (let i = 0; i < eventCount; i++) {
      publishedAt.set(firstId + i, performance.now());
      await publish(firstId + i);
      await delay(1_000 / perSecond);
    }
    await waitFor(() => waits.length >= eventCount, { ...patience, what: 'the last event' });
    const sorted = waits.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    return { p50: at(0.5), p99: at(0.99) };
  }

  try {
    await measure(1); // Until the code is compiled.
    const before = await measure(10_000);
    for (let i = 0; i < stuckCount; i++) await publish(firstStuck + i);
    await waitFor(() => stuck.size === stuckCount, { ...patience, what: 'every stuck event' });
    return { before, beside: await measure(20_000) };
  } finally {
    await Promise.all([identity.stop(), notifier.stop()]);
    await Promise.all([mongo.stop(), nats.stop()]);
  }
}
