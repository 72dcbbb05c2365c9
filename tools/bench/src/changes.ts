/** G5: from the check that saw a change until its mail is accepted and its webhook has arrived. G7: what a mail costs the notifier. */
import { setTimeout as delay } from 'node:timers/promises';
import { createPartner, expectStatus, newReceipt, received, setReceipt } from '@casewatch/driver';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createChanges } from './kit/changes.ts';
import { atRate, timeOf } from './kit/load.ts';
import { cpuMs, judge, median, numberOptions, quantile, say } from './kit/report.ts';
import { startServer } from './kit/servers.ts';
import { addWatchers, type System, withSystem } from './kit/system.ts';

/** Receipts that are watched by one case each, and as many by ten; each changes once at each rate: two changes of a case can be one mail. */
const { receipts: receiptsOfEach, mails: rounds } = numberOptions({ receipts: 30, mails: 4 });
/** A change of a shared receipt changes ten cases: the most checks a second that a change each can need here are ten. */
const shared = 10;
const hook = 'bench';
const settlingMs = 1_500;

await withSystem(
  `changes: ${receiptsOfEach} receipts at each rate`,
  { MONITOR_INTERVAL_SCALE: '0.000138' },
  async (system) => {
    const { dev } = system;
    // The demo's partner has an endpoint already.
    const keys = dev.other_partner;
    const changes = createChanges(system);
    const floor = await startFloor(system);
    const [alone, together] = [1, 2].map(() => Array.from({ length: receiptsOfEach }, newReceipt));
    if (!alone || !together) throw new Error('no receipts');
    for (const receipt of [...alone, ...together]) await setReceipt(dev, receipt, received);
    const watchers = [
      ...(await addWatchers(system, { keys, receipts: alone, perReceipt: 1 })),
      ...(await addWatchers(system, { keys, receipts: together, perReceipt: shared })),
    ];
    const endpoint = {
      url: `${dev.receiver_url}/hooks/${hook}`,
      events: ['case.status_updated'],
      rate_limit: 5_000,
    };
    expectStatus('endpoint', await createPartner(dev, keys).call('POST', '/v1/webhooks', endpoint), 201);

    await system.replaceMonitor({ USCIS_PACE_MARGIN: '0.2' });
    await follow(10, alone); // Until the code is compiled.
    for (const [perSecond, receipts] of [
      [1, alone],
      [10, alone],
      [100, together],
    ] as const) {
      const bare = await floor.times(perSecond, receipts.length * (perSecond > 10 ? shared : 1));
      const times = await follow(perSecond, receipts);
      say(
        `${perSecond}/s, floor: p50 ${quantile(bare, 0.5).toFixed(1)} ms, p95 ${quantile(bare, 0.95).toFixed(1)} ms`,
      );
      for (const [name, values] of Object.entries(times)) {
        const [p50, p95] = [quantile(values, 0.5), quantile(values, 0.95)];
        say(`${perSecond}/s, ${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
        judge(`G5 ${name} at ${perSecond}/s ÷ floor, p50`, p50 / median(bare), { atMost: 4 });
        if (perSecond === 100)
          judge(`G5 ${name} at 100/s ÷ floor, p95`, p95 / quantile(bare, 0.95), { atMost: 20 });
      }
    }
    await floor.stop();
    await measureMails(together);

    /** Times from the check to each mail and each webhook, ms, with one change at a time, or ten of one check at 100/s. */
    async function follow(perSecond: number, receipts: readonly string[]) {
      await changes.forget(hook);
      const perChange = perSecond > 10 ? shared : 1;
      const made: Awaited<ReturnType<typeof changes.change>>[] = [];
      await atRate(receipts.length, perSecond / perChange, async (i) => {
        made.push(await changes.change(receipts[i] ?? ''));
      });
      const seenAt = new Map((await changes.seen(made)).map(({ receipt, atMs }) => [receipt, atMs]));
      const calls = await changes.calls(hook, made.length * perChange);
      const mails = await changes.mails(made.length * perChange);
      const receiptOf = new Map(watchers.map(({ email, receipt }) => [email, receipt]));
      const lateness = (receipt: string, at: string) => Date.parse(at) - (seenAt.get(receipt) ?? Number.NaN);
      return {
        webhook: calls.map(({ body, received_at }) => {
          const { data } = JSON.parse(body) as { data: { case: { receipt_number: string } } };
          return lateness(data.case.receipt_number, received_at);
        }),
        mail: mails.map(({ to, received_at }) => lateness(receiptOf.get(to) ?? '', received_at)),
      };
    }

    async function measureMails(receipts: readonly string[]): Promise<void> {
      const count = receipts.length * shared;
      const bare = await system.floor('mail', { SMTP_URL: system.settings.notifier.SMTP_URL });
      const costs: Record<'notifier' | 'pool', number[]> = { notifier: [], pool: [] };
      for (let round = -1; round < rounds; round++) {
        const pool = Number(await (await fetch(`${bare.url}/${count}`)).text());
        await changes.forget(hook);
        const before = cpuMs(system.pidOf('notifier'));
        await Promise.all(receipts.map((receipt) => changes.change(receipt)));
        await changes.mails(count);
        await delay(settlingMs);
        if (round < 0) continue;
        costs.notifier.push((cpuMs(system.pidOf('notifier')) - before) / count);
        costs.pool.push(pool / count);
      }
      const [notifier, pool] = [median(costs.notifier), median(costs.pool)];
      say(`CPU of a mail: notifier ${notifier.toFixed(2)} ms, bare pool ${pool.toFixed(2)} ms`);
      judge('G7 mail, CPU of the notifier ÷ bare nodemailer pool', notifier / pool, { atMost: 4 });
    }
  },
);

/** Commit, publish, consume, one request: what no change can do without, with servers on the same disk. */
async function startFloor({ client, dev }: System) {
  const server = await startServer('nats-server');
  const nats = await connect({ servers: server.url });
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: 'FLOOR', subjects: ['floor'] });
  await manager.consumers.add('FLOOR', { durable_name: 'floor', ack_policy: 'explicit' });
  const stream = jetstream(nats);
  const messages = await (await stream.consumers.get('FLOOR', 'floor')).consume();
  const arrived = new Map<string, () => void>();
  void (async () => {
    for await (const message of messages) {
      void fetch(`${dev.receiver_url}/hooks/floor`, { method: 'POST', body: message.string() }).then(() => {
        message.ack();
        arrived.get(message.string())?.();
      });
    }
  })();
  const rows = client.db('bench').collection<{ _id: string; at: Date }>('changes');
  let last = 0;

  async function once(): Promise<void> {
    const id = String(++last);
    const { promise, resolve } = Promise.withResolvers<void>();
    arrived.set(id, resolve);
    await rows.insertOne({ _id: id, at: new Date() }, { writeConcern: { w: 'majority', journal: true } });
    await stream.publish('floor', id);
    await promise;
    arrived.delete(id);
  }

  return {
    async times(perSecond: number, count: number): Promise<number[]> {
      const times: number[] = [];
      await atRate(count, perSecond, async () => times.push(await timeOf(once)));
      return times;
    },
    async stop(): Promise<void> {
      await nats.close();
      await server.stop();
    },
  };
}
