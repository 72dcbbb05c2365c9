/** How much events that cannot be handled delay the others of their stream. */
import { setTimeout as delay } from 'node:timers/promises';
import { createBase, NotYetError, RetryLaterError } from '@casewatch/platform';
import { emptyDatabase, startSibling, waitFor } from '@casewatch/testing';
import { exitOnSignals, numberOptions, say, table } from './kit/cli.ts';
import { startServers } from './kit/servers.ts';
import { percentiles } from './kit/statistics.ts';

/** Highest p99 beside stuck events, as a factor of the p99 without them. */
const aim = 2;
const perSecond = 30;
const patience = { timeoutMs: 120_000 };
const firstStuck = 1_000_000;

const kinds: Record<string, () => Error> = {
  'not yet': () => new NotYetError('the object is not known here yet'),
  failed: () => new TypeError('a fault of the program'),
  away: () => new RetryLaterError('a dependency of this event alone is away'),
};

const { stuck, events } = numberOptions({ stuck: 40, events: 300 });
exitOnSignals();
say(`# stuck events: time from transaction to handler, ms; ${events} events at ${perSecond}/s`);
const rows: Record<string, string>[] = [];
for (const [kind, error] of Object.entries(kinds)) {
  const { alone, beside } = await measure(error);
  const ratio = beside.p99 / alone.p99;
  rows.push({
    error: kind,
    'p50 alone': alone.p50.toFixed(1),
    [`p50 beside ${stuck}`]: beside.p50.toFixed(1),
    'p99 alone': alone.p99.toFixed(1),
    [`p99 beside ${stuck}`]: beside.p99.toFixed(1),
    [`ratio (aim ≤ ${aim})`]: `${ratio.toFixed(2)} ×`,
  });
  if (ratio > aim) process.exitCode = 1;
}
table(rows);

/** Delays of events with no stuck event in their stream, and then beside stuck events, on the same servers. */
async function measure(error: () => Error) {
  const { mongo, nats, stop } = await startServers();
  const settings = { LOG_LEVEL: 'silent', MONGODB_URL: mongo.url('notifier'), ...nats.user('notifier') };
  const [identity, notifier] = await Promise.all([
    startSibling('identity', nats),
    createBase('notifier', settings, emptyDatabase),
  ]);
  const publishedAt = new Map<number, number>();
  const delays: number[] = [];
  const stuckIds = new Set<number>();
  notifier.consume({
    'status.updated': async () => {},
    'erasure.recorded': async () => {},
    'user.deleted': async ({ user_id: id }) => {
      if (id >= firstStuck) {
        stuckIds.add(id);
        throw error();
      }
      delays.push(performance.now() - (publishedAt.get(id) ?? 0));
    },
  });
  const publish = (id: number) =>
    identity.publish('user.deleted', { user_id: id, partner_id: 1, version: 2 });

  async function publishAll(firstId: number) {
    delays.length = 0;
    for (let i = 0; i < events; i++) {
      publishedAt.set(firstId + i, performance.now());
      await publish(firstId + i);
      await delay(1_000 / perSecond);
    }
    await waitFor(() => delays.length >= events, { ...patience, what: 'the last event' });
    return percentiles(delays);
  }

  try {
    await publishAll(1); // Until the code is compiled.
    const alone = await publishAll(10_000);
    for (let i = 0; i < stuck; i++) await publish(firstStuck + i);
    await waitFor(() => stuckIds.size === stuck, { ...patience, what: 'every stuck event' });
    return { alone, beside: await publishAll(20_000) };
  } finally {
    await Promise.all([identity.stop(), notifier.stop()]);
    await stop();
  }
}
