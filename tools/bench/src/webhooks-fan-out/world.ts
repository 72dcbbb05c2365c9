import { createBase, isTransient } from '@casewatch/platform';
import { outboxModel, transaction } from '@casewatch/platform/database';
import { emptyDatabase, freePort, waitFor } from '@casewatch/testing';
import mongoose from 'mongoose';
import { end } from '../kit/processes.ts';
import { type Servers, startServers } from '../kit/servers.ts';
import { monotonicMs } from '../webhooks/monotonic.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { openUsage } from '../webhooks/usage.ts';
import { caseRow, statusUpdated, userRow } from './rows.ts';
import { startServices } from './services.ts';

/** Events in one transaction of a burst, as when the monitor records a change that many cases watch. */
const perTransaction = 500;
const patience = { timeoutMs: 300_000, intervalMs: 50 };

type Size = { partners: number; users: number; limit: number };

/** Real servers and services; `users` users with one case each, shared by partners with one endpoint each. The bench is the monitor. */
export async function startWorld({ partners, users, limit }: Size) {
  const natsMonitorPort = await freePort();
  const servers = await startServers({ natsMonitorPort });
  const { call, ...services } = await startServices(servers);
  const { receiver, urls, stateOf } = await startReceiver({ ports: partners, hanging: 0 });
  const monitor = await startMonitorPart(servers);
  const caseOf = await seed(servers, { partners, users });
  for (const [i, url] of urls.entries())
    await call(i + 1, 'POST', '/v1/webhooks', { url, events: ['case.status_updated'], rate_limit: limit });
  const casesDb = await mongoose.createConnection(servers.mongo.url('cases')).asPromise();
  const updates = casesDb.collection('status_updates');
  const usage = await usageOf(servers, services, natsMonitorPort);

  let lastId = 0;
  /** Time before the transaction of each status update, ms. */
  const publishedAt = new Map<number, number>();

  async function publish(count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, i) => lastId + 1 + i);
    lastId += count;
    const at = monotonicMs();
    for (const id of ids) publishedAt.set(id, at);
    const events = ids.map((id) => {
      const row = caseOf(id);
      return { subject: `case/${row._id}`, data: statusUpdated(id, row) };
    });
    await untilCommitted(() =>
      transaction(monitor.db, (session) => monitor.outbox.addAll(session, 'status.updated', events)),
    );
  }

  return {
    usage,
    publish,
    async burst(events: number): Promise<void> {
      for (let left = events; left > 0; left -= perTransaction) await publish(Math.min(left, perTransaction));
    },
    /** Freezes the process of webhooks: what happens then happens without it. */
    pauseWebhooks: () => void process.kill(services.webhooks.pid, 'SIGSTOP'),
    continueWebhooks: () => void process.kill(services.webhooks.pid, 'SIGCONT'),
    async allStored(): Promise<void> {
      const hasAll = async () => (await updates.countDocuments()) >= lastId;
      await waitFor(hasAll, { ...patience, what: 'every status update in cases' });
    },
    async allArrived(): Promise<void> {
      const hasAll = async () => (await stateOf('/count')).distinct >= lastId;
      await waitFor(hasAll, { ...patience, what: 'every delivery' });
    },
    /** Delays of the newest `count` status updates, and the time from the first transaction to the last arrival, ms. */
    async delays(count: number): Promise<{ delays: number[]; spanMs: number }> {
      const { arrivals } = await stateOf('/');
      const arrivedAt = new Map(arrivals.map(({ id, at }) => [id, at]));
      const eventIds = await eventIdsOf(monitor.db);
      const newest = [...publishedAt].slice(-count);
      const times = newest.map(([id, at]) => ({ at, arrived: arrivedAt.get(eventIds.get(id) ?? '') ?? 0 }));
      const spanMs =
        Math.max(...times.map(({ arrived }) => arrived)) - Math.min(...times.map(({ at }) => at));
      return { delays: times.map(({ at, arrived }) => arrived - at), spanMs };
    },
    async stop(): Promise<void> {
      await Promise.all([usage.close(), casesDb.close()]);
      await Promise.all([receiver, ...Object.values(services)].map((process) => end(process)));
      await monitor.stop();
      await servers.stop();
    },
  };
}

type Services = Omit<Awaited<ReturnType<typeof startServices>>, 'call'>;

/** The bench itself is outbox and relay. */
function usageOf({ mongo, nats }: Servers, { cases, identity, webhooks }: Services, natsMonitorPort: number) {
  return openUsage({
    mongoUrl: mongo.url('monitor'),
    natsMonitorPort,
    pids: {
      cases: cases.pid,
      identity: identity.pid,
      webhooks: webhooks.pid,
      mongod: mongo.pid ?? 0,
      'nats-server': nats.pid ?? 0,
      'outbox and relay': process.pid,
    },
  });
}

/** On a busy machine a new connection may take longer than a transaction waits for one. */
async function untilCommitted(commit: () => Promise<void>): Promise<void> {
  try {
    await commit();
  } catch (error) {
    if (!isTransient(error)) throw error;
    await untilCommitted(commit);
  }
}

/** Outbox and relay of the monitor: they are the platform's. */
async function startMonitorPart({ mongo, nats }: Servers) {
  const settings = { LOG_LEVEL: 'silent', MONGODB_URL: mongo.url('monitor'), ...nats.user('monitor') };
  const base = await createBase('monitor', settings, emptyDatabase);
  base.startPublishing();
  return base;
}

/** The id that the endpoint receives, by the id of the status update. */
async function eventIdsOf(db: mongoose.Connection): Promise<Map<number, string>> {
  const rows = await outboxModel(db).find({}, { body: 1 }).lean();
  return new Map(
    rows.map(({ _id, body }) => {
      const { data } = JSON.parse(body) as { data: ReturnType<typeof statusUpdated> };
      return [data.status_update.id, `evt_${_id}`];
    }),
  );
}

/** Returns the case that the status update with a number is about. */
async function seed({ mongo }: Servers, { partners, users }: Omit<Size, 'limit'>) {
  const partnerOf = (id: number) => (id % partners) + 1;
  const ids = Array.from({ length: users }, (_, i) => i + 1);
  const insert = async (service: string, collection: string, rows: readonly { _id: number }[]) => {
    const connection = await mongoose.createConnection(mongo.url(service)).asPromise();
    await connection.collection<{ _id: number }>(collection).insertMany([...rows]);
    await connection.close();
  };
  const cases = ids.map((id) => caseRow(id, partnerOf(id)));
  const partnerRows = Array.from({ length: partners }, (_, i) => {
    return { _id: i + 1, name: `Example Law ${i + 1}`, status: 'active' };
  });
  await insert('identity', 'partners', partnerRows);
  await insert(
    'identity',
    'users',
    ids.map((id) => userRow(id, partnerOf(id))),
  );
  await insert('cases', 'cases', cases);
  return (id: number) => cases[id % users] ?? caseRow(1, partnerOf(1));
}
