/** What a delivery costs the sender alone, how many it makes in a burst, and how long one takes at an even rate. */
import { setTimeout as delay } from 'node:timers/promises';
import { exitOnSignals, numberOptions, say, table } from './kit/cli.ts';
import { percentiles } from './kit/statistics.ts';
import { judge } from './webhooks/judge.ts';
import type { Plan } from './webhooks/publisher.ts';
import { costColumns, settlingMs } from './webhooks/usage.ts';
import { startWorld } from './webhooks/world.ts';

const aims = { cpuMs: 0.6, requests: 3, syncs: 0.1, p50Ms: 20 };
const evenRate = 100;

/** `rate` is the limit of each endpoint, per second. */
const { events, endpoints, seconds, rate } = numberOptions({
  events: 2_000,
  endpoints: 100,
  seconds: 20,
  rate: 1_000,
});
exitOnSignals();
say('# webhooks sending: user.deleted from the stream to the endpoint; CPU and counters for each delivery');
const world = await startWorld({ endpoints, rate });
try {
  for (const partners of [1, endpoints]) await measure({ count: 500, partners }); // Until the code is compiled.
  const even = { count: evenRate * seconds, partners: endpoints, perSecond: evenRate };
  table([
    { phase: `burst of ${events}, 1 endpoint`, ...(await measure({ count: events, partners: 1 })) },
    {
      phase: `burst of ${events}, ${endpoints} endpoints`,
      ...(await measure({ count: events, partners: endpoints })),
    },
    { phase: `${evenRate}/s for ${seconds} s, ${endpoints} endpoints`, ...(await measure(even)) },
  ]);
  say(
    `aims: CPU ≤ ${aims.cpuMs} ms, in a burst ≤ ${aims.requests} requests and ≤ ${aims.syncs} journal syncs, p50 at ${evenRate}/s ≤ ${aims.p50Ms} ms`,
  );
} finally {
  await world.stop();
}

async function measure(plan: Plan): Promise<Record<string, string>> {
  await world.forgetArrivals();
  const usage = await world.openUsage();
  const before = await usage.read();
  const published = await world.publish(plan);
  await world.arrivals(plan.count);
  await delay(settlingMs);
  const arrivals = await world.arrivals(plan.count);
  const cost = await usage.costSince(before, plan.count);
  const delivered = await usage.database().collection('deliveries').countDocuments({ status: 'delivered' });
  await usage.close();
  const { lateness, twice, perSecond } = judge(published, arrivals);
  const { p50, p99 } = percentiles(lateness);
  return {
    'per second': perSecond.toFixed(0),
    ...costColumns(cost),
    'p50 ms': p50.toFixed(1),
    'p99 ms': p99.toFixed(1),
    twice: String(twice),
    'delivered rows': String(delivered),
  };
}
