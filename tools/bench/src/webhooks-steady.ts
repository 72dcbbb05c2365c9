/** Whether a delivery costs the same after many minutes: CPU, delay, memory and database, for each quarter of the time. */
import { setTimeout as delay } from 'node:timers/promises';
import { exitOnSignals, numberOptions, say, table } from './kit/cli.ts';
import { rssMiB } from './kit/processes.ts';
import { percentiles } from './kit/statistics.ts';
import { judge } from './webhooks/judge.ts';
import type { Published } from './webhooks/publisher.ts';
import { costColumns, settlingMs } from './webhooks/usage.ts';
import { startWorld } from './webhooks/world.ts';

/** Highest CPU of the last quarter, as a factor of the first. */
const aim = 1.1;
const quarters = 4;

/** `limit`: rate limit of each endpoint, per second. */
const { minutes, rate, endpoints, limit } = numberOptions({
  minutes: 20,
  rate: 100,
  endpoints: 100,
  limit: 1_000,
});
const count = Math.round((rate * minutes * 60) / quarters);
exitOnSignals();
say(
  `# webhooks steady: ${rate}/s to ${endpoints} endpoints for ${minutes} min; CPU and counters for each delivery`,
);
const world = await startWorld({ endpoints, rate: limit });
const usage = await world.openUsage();
try {
  await world.publish({ count: 2_000, partners: endpoints, perSecond: rate }); // Until the code is compiled.
  await world.arrivals(2_000);
  await world.forgetArrivals();
  const parts: Awaited<ReturnType<typeof measureQuarter>>[] = [];
  for (let quarter = 0; quarter < quarters; quarter++) parts.push(await measureQuarter());
  const arrivals = await world.arrivals(count * quarters);
  table(
    parts.map(({ published, cost, shown }, quarter) => {
      const { p50, p99, max } = percentiles(judge(published, arrivals).lateness);
      return {
        minutes: `${(minutes / quarters) * quarter} to ${(minutes / quarters) * (quarter + 1)}`,
        ...costColumns(cost),
        'p50 ms': p50.toFixed(1),
        'p99 ms': p99.toFixed(1),
        'longest ms': max.toFixed(0),
        ...shown,
      };
    }),
  );
  const [first = 0, last = 0] = [parts.at(0), parts.at(-1)].map((part) => part?.cost['CPU ms']);
  say(`CPU of the last quarter ÷ first: ${(last / first).toFixed(2)} × (aim ≤ ${aim})`);
  if (last / first > aim) process.exitCode = 1;
} finally {
  await usage.close();
  await world.stop();
}

async function measureQuarter() {
  const before = await usage.read();
  const published: Published = await world.publish({ count, partners: endpoints, perSecond: rate });
  await delay(settlingMs);
  const cost = await usage.costSince(before, count);
  const { objects, dataSize, storageSize, indexSize } = await usage.database().command({ dbStats: 1 });
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  const shown = {
    'webhooks MiB': rssMiB(world.pid()).toFixed(0),
    rows: objects as number,
    'data MiB': mib(dataSize),
    'data files MiB': mib(storageSize),
    'index MiB': mib(indexSize),
  };
  return { published, cost, shown };
}
