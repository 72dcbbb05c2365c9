/** How much endpoints that never answer slow the others, and what they cost the sender. */
import { readdirSync } from 'node:fs';
import { exitOnSignals, numberOptions, say, table } from './kit/cli.ts';
import { rssMiB } from './kit/processes.ts';
import { median, percentiles } from './kit/statistics.ts';
import { judge } from './webhooks/judge.ts';
import { startWorld } from './webhooks/world.ts';

/** Highest p99 of healthy endpoints beside hanging ones, as a factor of the p99 beside as many that answer; median of the pairs. */
const aim = 1.2;

/** Events per second for the measured and for the other endpoints. An attempt is given up after 15 s: longer than that, pairs see both. */
const { endpoints, hanging, pairs, seconds, rate, hangingRate } = numberOptions({
  endpoints: 99,
  hanging: 1,
  pairs: 5,
  seconds: 20,
  rate: 100,
  hangingRate: 10,
});
exitOnSignals();
say(
  `# webhooks hanging: ${endpoints} healthy endpoints at ${rate}/s, beside ${hanging} that answer and ${hanging} that hang, at ${hangingRate}/s`,
);
const world = await startWorld({ endpoints: endpoints + hanging, hanging, rate: 50 });
const usage = await world.openUsage();
const healthy = { count: rate * seconds, partners: endpoints, perSecond: rate };
const others = { count: hangingRate * seconds, partners: hanging, perSecond: hangingRate };
try {
  for (const areHanging of [false, true]) await measure(areHanging); // Until the code is compiled.
  const rows: Awaited<ReturnType<typeof measurePair>>[] = [];
  for (let pair = 0; pair < pairs; pair++) rows.push(await measurePair(pair % 2 === 0));
  table(
    rows.map(({ answering, beside }) => ({
      'p50 beside answering': answering.p50.toFixed(1),
      'p50 beside hanging': beside.p50.toFixed(1),
      'p99 beside answering': answering.p99.toFixed(1),
      'p99 beside hanging': beside.p99.toFixed(1),
      ratio: `${(beside.p99 / answering.p99).toFixed(2)} ×`,
      'CPU ms an event, beside answering': answering.cpuMs.toFixed(2),
      'beside hanging': beside.cpuMs.toFixed(2),
      'sockets to hanging endpoints': beside.sockets,
      'open files of webhooks': beside.files,
      'webhooks MiB': beside.rss.toFixed(0),
    })),
  );
  const ratio = median(rows.map(({ answering, beside }) => beside.p99 / answering.p99));
  say(`median ratio of p99: ${ratio.toFixed(2)} × (aim ≤ ${aim})`);
  if (ratio > aim) process.exitCode = 1;
} finally {
  await usage.close();
  await world.stop();
}

/** The order changes from pair to pair, so that a machine that slows down affects both sides equally. */
async function measurePair(isAnsweringFirst: boolean) {
  const first = await measure(!isAnsweringFirst);
  const second = await measure(isAnsweringFirst);
  const [answering, beside] = isAnsweringFirst ? [first, second] : [second, first];
  return { answering, beside };
}

/** Both sides have the same number of events: the ratio is about waiting, not about more work. */
async function measure(areHanging: boolean) {
  await world.setHangingActive(areHanging);
  await world.forgetArrivals();
  const before = await usage.read();
  const [published] = await Promise.all([
    world.publish(healthy),
    world.publish({ ...others, firstPartner: endpoints + 1 + (areHanging ? hanging : 0) }),
  ]);
  const files = readdirSync(`/proc/${world.pid()}/fd`).length;
  const sockets = await world.hangingSockets();
  const arrivals = await world.arrivals(healthy.count + (areHanging ? 0 : others.count));
  const cost = await usage.costSince(before, healthy.count + others.count);
  const { lateness } = judge(published, arrivals);
  const cpuMs = cost['CPU ms'] ?? 0;
  return { ...percentiles(lateness), cpuMs, sockets, files, rss: rssMiB(world.pid()) };
}
