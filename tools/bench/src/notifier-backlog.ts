/** Whether a login code arrives in time beside a long queue of status mails, and whether claims cost more at its end. */
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@casewatch/testing';
import { exitOnSignals, numberOptions, say } from './kit/cli.ts';
import { cpuSeconds, end } from './kit/processes.ts';
import { fillBacklog, settleMiddle } from './notifier/backlog.ts';
import { startWorld } from './notifier/world.ts';
import { monotonicMs } from './webhooks/monotonic.ts';

/** Aims: p95 of a login code, ms; cost of the last claims relative to the first. */
const aims = { codeMs: 3_000, ratio: 1.2 };
const part = 1_000;
const codeEveryMs = 500;
const patience = { timeoutMs: 1_200_000, intervalMs: 50 };

const { messages, sent } = numberOptions({ messages: 50_000, sent: 50_000 });
exitOnSignals();
// Each mail is a message of its own: all are claims.
const world = await startWorld({ NOTIFY_DIGEST_WINDOW_S: '0' });
try {
  await fillBacklog(world, messages);
  const service = await world.startNotifier();
  const started = performance.now();
  const sentAt = new Map<string, number>();
  let isOver = false;
  const codes = (async () => {
    for (let i = 0; !isOver; i++) {
      const to = `code-${i}@example.org`;
      sentAt.set(to, monotonicMs());
      await world.askForCode(to, i);
      await delay(codeEveryMs);
    }
  })();

  /** CPU of the notifier and of mongod while so many mails go out, ms a mail. */
  async function costOf(from: number, to: number): Promise<{ notifier: number; mongod: number }> {
    const read = () => ({ notifier: cpuSeconds(service.pid), mongod: cpuSeconds(world.mongod) });
    await waitFor(async () => (await world.mailCount()) >= from, patience);
    const [before, fromCount] = [read(), await world.mailCount()];
    await waitFor(async () => (await world.mailCount()) >= to, patience);
    const [after, count] = [read(), (await world.mailCount()) - fromCount];
    const perMail = (name: 'notifier' | 'mongod') => ((after[name] - before[name]) * 1_000) / count;
    return { notifier: perMail('notifier'), mongod: perMail('mongod') };
  }

  // The first thousand still compile.
  const first = await costOf(part, 2 * part);
  const settled = sent < messages ? await settleMiddle(world, sent - 3 * part) : 0;
  const last = await costOf(messages - settled - part, messages - settled);
  const seconds = (performance.now() - started) / 1_000;
  isOver = true;
  await codes;
  await waitFor(async () => (await world.mailCount()) >= messages - settled + sentAt.size, patience);
  const arrivals = (await world.mails()).filter(({ to }) => sentAt.has(to));
  const waits = arrivals.map(({ to, at }) => at - (sentAt.get(to) ?? 0)).sort((a, b) => a - b);
  const p95 = waits[Math.floor(waits.length * 0.95)] ?? Number.POSITIVE_INFINITY;
  const ratios = { notifier: last.notifier / first.notifier, mongod: last.mongod / first.mongod };
  say(
    `${messages - settled} of ${messages} mails in ${seconds.toFixed(0)} s, beside ${sentAt.size} login codes`,
  );
  say(
    `login codes: p50 ${waits[Math.floor(waits.length / 2)]?.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, longest ${waits.at(-1)?.toFixed(0)} ms`,
  );
  for (const name of ['notifier', 'mongod'] as const)
    say(
      `CPU of ${name}: ${first[name].toFixed(2)} ms a mail, at the end ${last[name].toFixed(2)} ms, ${ratios[name].toFixed(2)} x`,
    );
  await end(service);
  if (p95 > aims.codeMs || Math.max(ratios.notifier, ratios.mongod) > aims.ratio) process.exitCode = 1;
} finally {
  await world.stop();
}
