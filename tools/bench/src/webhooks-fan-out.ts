/** From the monitor's transaction to the endpoint of a partner: deliveries per second, delay, and what a delivery costs. */
import { setTimeout as delay } from 'node:timers/promises';
import { exitOnSignals, numberOptions, say, table } from './kit/cli.ts';
import { percentiles } from './kit/statistics.ts';
import { type Cost, costColumns, settlingMs } from './webhooks/usage.ts';
import { startWorld } from './webhooks-fan-out/world.ts';

/** Transactions in progress: fewer than the connections of a service. */
const maxTransactions = 16;

/** `limit`: rate limit of each endpoint, per second. `warmUps`: events before the measurement. */
const { events, partners, users, rate, seconds, limit, warmUps } = numberOptions({
  events: 2_000,
  partners: 1,
  users: 1_000,
  rate: 100,
  seconds: 20,
  limit: 1_000,
  warmUps: 500,
});
exitOnSignals();
say(
  `# webhooks fan-out: ${users} users with one case each, ${partners} partners with one endpoint each; CPU and counters for each delivery`,
);
const world = await startWorld({ partners, users, limit });
try {
  await measure(warmUps, world.burst); // Until the code is compiled.
  const burst = await measure(events, world.burst);
  const stored = await costWithoutWebhooks(events);
  table([
    { phase: `burst of ${events}`, ...columns(burst) },
    { phase: 'of it without webhooks', ...costColumns(stored) },
    { phase: 'by webhooks', ...costColumns(difference(burst.cost, stored)) },
    { phase: `${rate}/s for ${seconds} s`, ...columns(await measure(rate * seconds, publishSteadily)) },
  ]);
} finally {
  await world.stop();
}

type Measured = { cost: Cost; perSecond: number; delays: number[] };

async function measure(count: number, publish: (count: number) => Promise<void>): Promise<Measured> {
  const before = await world.usage.read();
  await publish(count);
  await world.allArrived();
  await delay(settlingMs);
  const cost = await world.usage.costSince(before, count);
  const { delays, spanMs } = await world.delays(count);
  return { cost, perSecond: (count / spanMs) * 1_000, delays };
}

/** What the monitor's outbox and the storing in cases cost alone: webhooks is frozen until all updates are stored. */
async function costWithoutWebhooks(count: number): Promise<Cost> {
  world.pauseWebhooks();
  try {
    const before = await world.usage.read();
    await world.burst(count);
    await world.allStored();
    await delay(settlingMs);
    return await world.usage.costSince(before, count);
  } finally {
    world.continueWebhooks();
    await world.allArrived();
  }
}

function difference(all: Cost, part: Cost): Cost {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value - (part[name] ?? 0)]));
}

function columns({ cost, perSecond, delays }: Measured): Record<string, string> {
  const { p50, p99 } = percentiles(delays);
  return {
    'per second': perSecond.toFixed(0),
    ...costColumns(cost),
    'p50 ms': p50.toFixed(1),
    'p99 ms': p99.toFixed(1),
  };
}

/** One transaction for each event, at a constant rate as long as the database keeps up. */
async function publishSteadily(count: number): Promise<void> {
  const start = performance.now();
  const publishing = new Set<Promise<void>>();
  for (let i = 0; i < count; i++) {
    const waitMs = start + (i * 1_000) / rate - performance.now();
    if (waitMs > 0) await delay(waitMs);
    if (publishing.size >= maxTransactions) await Promise.race(publishing);
    const publication = world.publish(1).finally(() => publishing.delete(publication));
    publishing.add(publication);
  }
  await Promise.all(publishing);
}
