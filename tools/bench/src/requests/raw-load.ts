import { setTimeout as delay } from 'node:timers/promises';
import type { Reply, Target } from './load.ts';
import { type BenchOperation, partnerOf, partners, requests, usersPerPartner } from './operations.ts';
import { openSockets } from './sockets.ts';

/** `atMs`: since the first request was due. */
export type TimedReply = Reply & { readonly atMs: number };

type Load = { connections: number; ms: number };

/** As `saturate`, on bare sockets. @throws Error if a request fails */
export async function saturateRaw(
  target: Target,
  operation: BenchOperation,
  { connections, ms }: Load,
): Promise<{ perSecond: number }> {
  const sockets = openSockets(target.url, connections);
  const texts = textsOf(target, operation);
  const started = performance.now();
  let count = 0;
  async function sendInTurn(): Promise<void> {
    while (performance.now() - started < ms) {
      const { promise, resolve } = Promise.withResolvers<number>();
      sockets.send({ request: texts[count++ % texts.length] ?? '', onReply: resolve });
      const status = await promise;
      if (status !== 200) throw new Error(`${operation} was answered with ${status}`);
    }
  }
  await Promise.all(Array.from({ length: connections }, sendInTurn)).finally(sockets.close);
  return { perSecond: (count * 1_000) / (performance.now() - started) };
}

/** Interval of sending, ms. */
const stepMs = 2;

/** Requests at a constant rate, however slow the answers are; their time counts from when they were due. */
export async function paceRaw(
  target: Target,
  operation: BenchOperation,
  { rate, ms, connections }: Load & { rate: number },
): Promise<TimedReply[]> {
  const sockets = openSockets(target.url, connections);
  const texts = textsOf(target, operation);
  const total = Math.round((rate * ms) / 1_000);
  const replies: TimedReply[] = [];
  const { promise: allReplied, resolve } = Promise.withResolvers<void>();
  const started = performance.now();
  for (let sent = 0; sent < total; await delay(stepMs)) {
    const due = Math.min(total, ((performance.now() - started) * rate) / 1_000);
    for (; sent < due; sent++) {
      const dueAt = started + (sent * 1_000) / rate;
      const onReply = (status: number) => {
        const now = performance.now();
        replies.push({ status, ms: now - dueAt, atMs: now - started });
        if (replies.length === total) resolve();
      };
      sockets.send({ request: texts[sent % texts.length] ?? '', onReply });
    }
  }
  await allReplied;
  sockets.close();
  return replies;
}

/** One request of each user, of another partner in turn. */
function textsOf({ url, keys }: Target, operation: BenchOperation): string[] {
  const { host } = new URL(url);
  return Array.from({ length: partners * usersPerPartner }, (_, i) => {
    const userId = (i % partners) * usersPerPartner + Math.floor(i / partners) + 1;
    const { method, path } = requests[operation](userId, i);
    const headers = Object.entries({ host, ...keys[partnerOf(userId) - 1] });
    return [`${method} ${path} HTTP/1.1`, ...headers.map((pair) => pair.join(': ')), '', ''].join('\r\n');
  });
}
