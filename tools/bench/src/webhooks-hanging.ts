/** How much endpoints that never answer slow the others, and what they cost the sender. */
import { readdirSync } from 'node:fs';
import { exitOnSignals, numberOptions, say, table } from './kit/cli.ts';
import { rssMiB } from './kit/processes.ts';
import { median, percentiles } from './kit/statistics.ts';
import { judge } from './webhooks/judge.ts';
import { startWorld } from './webhooks/world.ts';

/** Highest p99 of healthy endpoints beside hanging ones, as a factor of the p99 without them; median of the pairs. */
const aim = 1.2;

/** Events per second for healthy and for hanging endpoints. */
const { endpoints, hanging, pairs, seconds, rate, hangingRate } = numberOptions({
  endpoints: 99,
  hanging: 1,
  pairs: 5,
  seconds: 15,
  rate: 100,
  hangingRate: 10,
});
exitOnSignals();
say(
  `# webhooks hanging: ${endpoints} healthy endpoints at ${rate}/s, alone and beside ${hanging} that hang at ${hangingRate}/s`,
);
const world = await startWorld({ endpoints, hanging, rate: 50 });
const healthy = { count: rate * seconds, partners: endpoints, perSecond: rate };
try {
  await measure(false); // Until the code is compiled.
  const rows: Awaited<ReturnType<typeof measurePair>>[] = [];
  for (let pair = 0; pair < pairs; pair++) rows.push(await measurePair(pair % 2 === 0));
  table(
    rows.map(({ alone, beside, sockets, rss }) => ({
      'p50 alone': alone.p50.toFixed(1),
      'p50 beside': beside.p50.toFixed(1),
      'p99 alone': alone.p99.toFixed(1),
      'p99 beside': beside.p99.toFixed(1),
      ratio: `${(beside.p99 / alone.p99).toFixed(2)} ×`,
      'sockets to hanging endpoints': sockets.hanging,
      'open files of webhooks': sockets.files,
      'webhooks MiB': rss.toFixed(0),
    })),
  );
  const ratio = median(rows.map(({ alone, beside }) => beside.p99 / alone.p99));
  say(`median ratio of p99: ${ratio.toFixed(2)} × (aim ≤ ${aim})`);
  if (ratio > aim) process.exitCode = 1;
} finally {
  await world.stop();
}

async function measurePair(isAloneFirst: boolean) {
  const first = await measure(!isAloneFirst);
  const second = await measure(isAloneFirst);
  const [alone, beside] = isAloneFirst ? [first, second] : [second, first];
  return { alone: alone.times, beside: beside.times, sockets: beside.sockets, rss: beside.rss };
}

async function measure(isBeside: boolean) {
  await world.forgetArrivals();
  const forHanging = { count: hangingRate * seconds, partners: hanging, perSecond: hangingRate };
  const [published] = await Promise.all([
    world.publish(healthy),
    isBeside ? world.publish({ ...forHanging, firstPartner: endpoints + 1 }) : undefined,
  ]);
  const files = readdirSync(`/proc/${world.pid()}/fd`).length;
  const sockets = { hanging: await world.hangingSockets(), files };
  const { lateness } = judge(published, await world.arrivals(healthy.count));
  return { times: percentiles(lateness), sockets, rss: rssMiB(world.pid()) };
}
