/** G15: three times as many requests as the machine carries: how many are still answered, and how soon the others are refused. */
import { setTimeout as delay } from 'node:timers/promises';
import { newReceipt, received, setReceipt } from '@casewatch/driver';
import { judge, numberOptions, quantile, say } from './kit/report.ts';
import { getText, openSockets, type Reply, saturate } from './kit/sockets.ts';
import { addWatchers, withSystem } from './kit/system.ts';

const { times, seconds, connections } = numberOptions({ times: 3, seconds: 6, connections: 4_096 });
/** Longest time until any answer, ms (ordinaryDeadlineMs), and what the sender of the requests itself may add. */
const [latestMs, toleranceMs] = [2_500, 250];
const stepMs = 2;

await withSystem(`overload: ${times} times the peak`, {}, async (system) => {
  const { dev, partner } = system;
  const receipts = Array.from({ length: 8 }, newReceipt);
  for (const receipt of receipts) await setReceipt(dev, receipt, received);
  await addWatchers(system, { receipts, perReceipt: 1 });
  const { body } = await partner.call<{ cases: { id: number }[] }>('GET', '/v1/client/cases');
  const texts = body.cases.map(({ id }) => getText(`/v1/client/cases/${id}`, partner.headers));

  // By default the gateway closes idle connections of an address that has more than 200.
  const { url } = await system.replica('gateway', { MAX_CONNECTIONS: String(2 * connections) });
  const ms = seconds * 1_000;
  await saturate([url], texts, { width: 8, ms: ms / 2 });
  const peak = await saturate([url], texts, { width: 8, ms });
  const replies = await sendAtRate(url, texts, peak.perSecond * times);
  for (const [status, of] of Map.groupBy(replies, ({ status }) => status)) {
    const took = of.map((reply) => reply.ms);
    say(
      `${status || 'no answer'}: ${of.length}, p50 ${quantile(took, 0.5).toFixed(0)} ms, p99 ${quantile(took, 0.99).toFixed(0)} ms`,
    );
  }
  // An answer after the last request would be given without overload, too.
  const good = replies.filter(
    ({ status, ms: took, atMs }) => status === 200 && took <= latestMs && atMs <= ms,
  );
  const honest = replies.filter(
    ({ status, ms: took }) => [200, 429, 503].includes(status) && took <= latestMs + toleranceMs,
  );
  say(`peak ${peak.perSecond.toFixed(0)}/s, goodput ${(good.length / seconds).toFixed(0)}/s`);
  judge('G15 goodput ÷ peak', good.length / seconds / peak.perSecond, { atLeast: 0.9 });
  judge('G15 share answered or refused within the deadline', honest.length / replies.length, { atLeast: 1 });
});

/** Requests at a constant rate, however slow the answers are; their time counts from when they were due. */
async function sendAtRate(url: string, texts: readonly string[], rate: number): Promise<Reply[]> {
  const sockets = openSockets(url, connections);
  const total = Math.round(rate * seconds);
  const replies: Reply[] = [];
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
