import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { type BenchOperation, partnerOf, partners, requests, usersPerPartner } from './operations.ts';

/** Where requests go; `keys` are the headers of each partner. */
export type Target = {
  readonly url: string;
  readonly keys: readonly Readonly<Record<string, string>>[];
  /** Instead of the path of the operation. */
  readonly path?: string;
};

export type Reply = { status: number; ms: number };

/** Grows over the whole run, so that no two writes are equal. */
let sent = 0;

/** Sends one request of an operation, of another partner and user each time. */
async function sendOne(pool: Pool, { keys, path }: Target, operation: BenchOperation): Promise<number> {
  const count = ++sent;
  const userId = (count % partners) * usersPerPartner + (Math.floor(count / partners) % usersPerPartner) + 1;
  const { body = null, ...request } = requests[operation](userId, count);
  const headers = {
    ...keys[partnerOf(userId) - 1],
    ...(body !== null && { 'content-type': 'application/json' }),
  };
  const response = await pool.request({ ...request, ...(path !== undefined && { path }), headers, body });
  await response.body.dump();
  return response.statusCode;
}

/** As many requests as `connections` at a time can do. Returns their rate per second. @throws Error if one fails */
export async function saturate(
  target: Target,
  operation: BenchOperation,
  { connections, ms }: { connections: number; ms: number },
): Promise<{ count: number; perSecond: number }> {
  const pool = new Pool(target.url, { connections, pipelining: 1 });
  const started = performance.now();
  let count = 0;
  async function sendInTurn(): Promise<void> {
    while (performance.now() - started < ms) {
      const status = await sendOne(pool, target, operation);
      if (status >= 300) throw new Error(`${operation} was answered with ${status}`);
      count += 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, sendInTurn));
  const perSecond = (count * 1_000) / (performance.now() - started);
  await pool.close();
  return { count, perSecond };
}

/** Requests at a constant rate, however slow the answers are; their time counts from when they were due. */
export async function pace(
  target: Target,
  operation: BenchOperation,
  { rate, ms, connections }: { rate: number; ms: number; connections: number },
): Promise<Reply[]> {
  const pool = new Pool(target.url, { connections, pipelining: 1 });
  const started = performance.now();
  const total = Math.round((rate * ms) / 1_000);
  const replies = Array.from({ length: total }, async (_, i): Promise<Reply> => {
    const dueAt = started + (i * 1_000) / rate;
    await delay(Math.max(0, dueAt - performance.now()));
    const status = await sendOne(pool, target, operation).catch(() => 0);
    return { status, ms: performance.now() - dueAt };
  });
  const all = await Promise.all(replies);
  await pool.close();
  return all;
}
