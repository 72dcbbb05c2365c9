/** G10: what a check, a page, a search, a replay and the overview cost with much that is stored, beside the same with little. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  createPartner,
  expectStatus,
  newReceipt,
  type PartnerKeys,
  received,
  send,
  setReceipt,
  until,
} from '@casewatch/driver';
import type mongoose from 'mongoose';
import { inParallel } from './kit/load.ts';
import { cpuOf, judge, median, numberOptions, say } from './kit/report.ts';
import { addWatchers, type Service, type System, withSystem } from './kit/system.ts';

const few = 10_000;
/** `rate`: checks a second. */
const { receipts, cases, deliveries, rounds, requests, seconds, rate } = numberOptions({
  receipts: 1_000_000,
  cases: 100_000,
  deliveries: 3_000_000,
  rounds: 5,
  requests: 100,
  seconds: 60,
  rate: 100,
});
const aim = { atMost: 1.2 };
const dayMs = 24 * 60 * 60 * 1_000;
const rowsPerInsert = 5_000;
const replayed = 500;
/** It must hold every watched receipt (docs/operations.md, Scale). */
const cache = 'cache_size=4G';

type Row = mongoose.mongo.Document & { _id: unknown };
/** A partner with one user, one case and one endpoint, of which its other rows are copies. */
type Side = { keys: PartnerKeys; webhook: number; cases: number; deliveries: number };

/** What the stand-in serves of `received`, as every receipt has it. */
const served = {
  formType: received.form_type,
  submittedDate: received.submitted_date,
  modifiedDate: received.modified_date,
  current_case_status_text_en: received.text_en,
  current_case_status_desc_en: received.desc_en,
  current_case_status_text_es: received.text_es,
  current_case_status_desc_es: received.desc_es,
  hist_case_status: null,
};

/** Replays so far: their rows have ids of their own. */
let replays = 0;

await withSystem(
  `growth: ${receipts} receipts, ${cases} cases, ${deliveries} deliveries`,
  {},
  async (system) => {
    const { dev, client } = system;
    await client.db('admin').command({ setParameter: 1, wiredTigerEngineRuntimeConfig: cache });
    const [small, large] = [
      await addSide(system, dev.other_partner, { cases: few, deliveries: few }),
      await addSide(system, dev.partner, { cases, deliveries }),
    ];
    const asks: [name: string, service: Service, path: (side: Side) => string][] = [
      ['list page', 'cases', () => '/v1/client/cases?limit=50'],
      ['search of users', 'identity', () => '/v1/client/users?name=Zuleika'],
      ['overview', 'webhooks', () => '/v1/client/statistics'],
      ['page of deliveries', 'webhooks', ({ webhook }) => `/v1/webhooks/${webhook}/deliveries?limit=50`],
    ];
    for (const [name, service, path] of asks) {
      const read = async (side: Side) => {
        const { headers } = createPartner(dev, side.keys);
        await inParallel(requests, 4, async () => {
          expectStatus(name, await send(dev, 'GET', { as: headers, path: path(side) }), 200);
        });
        return requests;
      };
      await compare(name, service, read);
    }
    await compare('replay of a delivery', 'webhooks', (side) => replay(system, side));
    await compareChecks();

    /** CPU of the service and mongod for one of what `work` does, on both sides in turn. */
    async function compare(
      name: string,
      service: Service,
      work: (side: Side) => Promise<number>,
    ): Promise<void> {
      const pids = [system.pidOf(service), system.servers.mongod];
      const costs = new Map<Side, number[]>([small, large].map((side) => [side, []]));
      for (let round = -1; round < rounds; round++)
        for (const side of round % 2 === 0 ? [small, large] : [large, small]) {
          const before = cpuOf(pids);
          const count = await work(side);
          if (round >= 0) costs.get(side)?.push((cpuOf(pids) - before) / count);
        }
      const [ofSmall, ofLarge] = [small, large].map((side) => median(costs.get(side) ?? []));
      say(`${name}: ${ofSmall?.toFixed(2)} ms of CPU, with much stored ${ofLarge?.toFixed(2)} ms`);
      judge(`G10 ${name}, much ÷ little stored`, (ofLarge ?? 0) / (ofSmall ?? 1), aim);
    }

    /** A monitor checks at a government that knows every receipt. */
    async function compareChecks(): Promise<void> {
      const government = await system.floor('government', { SERVED: JSON.stringify(served) });
      const monitor = await system.replaceMonitor({
        USCIS_TOKEN_URL: `${government.url}/oauth/accesstoken`,
        USCIS_API_URL: `${government.url}/case-status`,
        USCIS_RATE_PER_SECOND: String(rate),
        MONITOR_INTERVAL_SCALE: '0.0001',
      });
      const count = async () => Number(await (await fetch(`${government.url}/count`)).text());
      const pids = [monitor.pid, system.servers.mongod];
      const costs: number[] = [];
      for (const [from, to] of [
        [0, few],
        [few, receipts],
      ] as const) {
        await addReceipts(system, from, to);
        await client.db('admin').command({ fsync: 1 });
        const begun = (await count()) + rate;
        await until(async () => (await count()) > begun, {
          timeoutMs: 120_000,
          intervalMs: 250,
          what: 'checks',
        });
        await delay((seconds / 2) * 1_000);
        const before = { cpu: cpuOf(pids), checks: await count() };
        await delay(seconds * 1_000);
        const checks = (await count()) - before.checks;
        costs.push((cpuOf(pids) - before.cpu) / checks);
        say(
          `${to} receipts: ${(checks / seconds).toFixed(1)} checks/s, ${costs.at(-1)?.toFixed(2)} ms of CPU each`,
        );
      }
      judge('G10 check, much ÷ little stored', (costs[1] ?? 0) / (costs[0] ?? 1), aim);
    }
  },
);

/** A moment of the last four weeks. */
function someTime(): Date {
  return new Date(Date.now() - Math.random() * 28 * dayMs);
}

/** Inserts copies of a row. */
async function copy(
  rows: mongoose.mongo.Collection<Row>,
  count: number,
  copyOf: (index: number) => Row,
): Promise<void> {
  for (let start = 0; start < count; start += rowsPerInsert) {
    const length = Math.min(rowsPerInsert, count - start);
    await rows.insertMany(
      Array.from({ length }, (_, i) => copyOf(start + i)),
      { ordered: false },
    );
  }
}

async function addSide(
  system: System,
  keys: PartnerKeys,
  { cases, deliveries }: Omit<Side, 'keys' | 'webhook'>,
): Promise<Side> {
  const { dev, db } = system;
  const receipt = newReceipt();
  await setReceipt(dev, receipt, received);
  const partner = createPartner(dev, keys);
  const events = ['user.created', 'case.status_updated'];
  const { id: webhook } = await partner.newWebhook(`side-${keys.id}`, events);
  const [watcher] = await addWatchers(system, { keys, receipts: [receipt], perReceipt: 1 });
  const rowOf = async (service: Service, name: string, filter: object) => {
    const find = () => db(service).collection<Row>(name).findOne(filter);
    return await until(find, { timeoutMs: 60_000, what: `a row of ${name}` });
  };
  const user = await rowOf('identity', 'users', { _id: watcher?.id });
  const ofCase = await rowOf('cases', 'cases', { partner_id: keys.id, receipt_number: receipt });
  const delivered = await rowOf('webhooks', 'deliveries', { webhook_id: webhook, status: 'delivered' });
  const event = await rowOf('webhooks', 'events', { _id: delivered.event_id });
  const base = keys.id * 10_000_000;
  await copy(db('identity').collection<Row>('users'), cases, (i) => {
    const email = `copy.${base + i}@example.com`;
    const name = i % (cases / 20) === 0 ? 'Zuleika Copy' : `Person ${i}`;
    return { ...user, _id: base + i, email, email_lower: email, name, created_at: someTime() };
  });
  await copy(db('cases').collection<Row>('cases'), cases, (i) => {
    const at = someTime();
    const own = { _id: base + i, user_id: base + i, receipt_number: `WAC${6_000_000_000 + base + i}` };
    return { ...ofCase, ...own, created_at: at, updated_at: at, last_checked: at, changed_at: at };
  });
  await copy(db('webhooks').collection<Row>('events'), cases, (i) => {
    const { dedupe_key: _unique, ...plain } = event;
    return { ...plain, _id: `copy-${base + i}`, intake_at: someTime() };
  });
  await copy(db('webhooks').collection<Row>('deliveries'), deliveries, (i) => {
    const event_id = `copy-${base + i}`;
    return { ...delivered, _id: `${event_id}:${webhook}`, event_id, created_at: someTime() };
  });
  return { keys, webhook, cases, deliveries };
}

/** Replays 500 deliveries that failed, of all that the endpoint has. @returns their number */
async function replay({ dev, db }: System, { keys, webhook }: Side): Promise<number> {
  const partner = createPartner(dev, keys);
  const [deliveries, events] = ['deliveries', 'events'].map((name) => db('webhooks').collection<Row>(name));
  const delivered = await deliveries?.findOne({ webhook_id: webhook, status: 'delivered' });
  const event = await events?.findOne({ partner_id: keys.id });
  if (!deliveries || !events || !delivered || !event) throw new Error('nothing to replay');
  const { dedupe_key: _unique, ...plain } = event;
  const id = (i: number) => `replay-${replays}-${keys.id}-${i}`;
  replays += 1;
  await copy(events, replayed, (i) => ({ ...plain, _id: id(i), intake_at: someTime() }));
  await copy(deliveries, replayed, (i) => {
    const own = { _id: `${id(i)}:${webhook}`, event_id: id(i), created_at: someTime() };
    return { ...delivered, ...own, status: 'failed', due_at: null, claim: null };
  });
  const body = { since: new Date(Date.now() - 29 * dayMs).toISOString(), status: 'failed' };
  const path = `/v1/webhooks/${webhook}`;
  const begun = await partner.call<{ task: { id: number } }>('POST', `${path}/replay`, body);
  const { task } = expectStatus('replay', begun, 202);
  const waiting = { webhook_id: webhook, status: { $in: ['failed', 'pending', 'sending'] } };
  const what = `the end of replay ${task.id}`;
  await until(async () => (await deliveries.countDocuments(waiting)) === 0, {
    timeoutMs: 120_000,
    intervalMs: 1_000,
    what,
  });
  return replayed;
}

/** Watched receipts `from` to `to`: copies of one that the system checked. Each was checked at some time. */
async function addReceipts({ db }: System, from: number, to: number): Promise<void> {
  const [receipts, watches] = ['receipts', 'watches'].map((name) => db('monitor').collection<Row>(name));
  const receipt = await receipts?.findOne({ facts_hash: { $type: 'string' }, bucket: { $type: 'string' } });
  const watch = await watches?.findOne({ active: true });
  if (!receipts || !watches || !receipt || !watch) throw new Error('no receipt was checked');
  const number = (i: number) => `WAC${5_000_000_000 + from + i}`;
  const firstCase = 1_000_000_000 + from;
  await copy(receipts, to - from, (i) => {
    const at = someTime();
    return {
      ...receipt,
      _id: number(i),
      sent: 0,
      watched_by: firstCase + i,
      checked_at: at,
      last_checked: at,
    };
  });
  await copy(watches, to - from, (i) => ({ ...watch, _id: firstCase + i, receipt_number: number(i) }));
}
