import { setTimeout as delay } from 'node:timers/promises';
import { percentiles } from '../kit/statistics.ts';
import { pace, saturate, type Target } from './load.ts';
import type { BenchOperation } from './operations.ts';
import type { World } from './world.ts';

/** What a second without requests, or one request, costs: CPU of each process in ms, MongoDB requests, NATS messages. */
export type Cost = Readonly<Record<string, number>>;

export type Measured = { perSecond: number; p50: number; p99: number; cost: Cost };

export type Options = { seconds: number; rate: number; connections: number };

const warmUpMs = 1_000;
const idleMs = 5_000;

/** The cost of a second without requests. */
export async function measureIdle({ usage }: World): Promise<Cost> {
  const before = await usage.read();
  await delay(idleMs);
  return await usage.costSince(before, idleMs / 1_000);
}

/** Requests per second and costs of one request at full load, delays at a constant rate. What idling costs is subtracted. */
export async function measure(
  { usage }: World,
  { target, operation, idle }: { target: Target; operation: BenchOperation; idle: Cost },
  { seconds, rate, connections }: Options,
): Promise<Measured> {
  await saturate(target, operation, { connections, ms: warmUpMs });
  const before = await usage.read();
  const { count, perSecond } = await saturate(target, operation, { connections, ms: seconds * 1_000 });
  const cost = await usage.costSince(before, count);
  const idlePerRequest = 1 / perSecond;
  const own = Object.entries(cost).map(([name, value]) => [
    name,
    Math.max(0, value - (idle[name] ?? 0) * idlePerRequest),
  ]);
  const replies = await pace(target, operation, { rate, ms: seconds * 1_000, connections });
  const { p50, p99 } = percentiles(replies.map(({ ms }) => ms));
  return { perSecond, p50, p99, cost: Object.fromEntries(own) };
}
