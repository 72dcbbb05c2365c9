import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@casewatch/contracts';
import {
  approved,
  createPartner,
  type DevFile,
  newReceipt,
  type Partner,
  received,
  setReceipt,
} from '@casewatch/driver';
import { connectNats, deleteEventStreams, type RecordedErasure, recordedErasures } from '@casewatch/platform';
import type { Connection } from '@casewatch/platform/database';
import { connectDatabase, waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runMongoshScript, type Snapshot } from '../support/mongosh.ts';
import { newPartner, operator } from '../support/operator.ts';
import { describeOwnSystem } from '../support/system.ts';
import { startSystemInProcess } from '../support/system-in-process.ts';

const stored = serviceNames.filter((name) => name !== 'gateway');
type Stored = (typeof stored)[number];
type Row = { _id: never };
type Pending = { num_pending: number; num_ack_pending: number };

/** Where rows of a person are, and how they name the person. */
const places: readonly [Stored, collection: string, field: string][] = [
  ['identity', 'users', '_id'],
  ['cases', 'cases', 'user_id'],
  ['monitor', 'watches', 'case.user_id'],
  ['notifier', 'notifications', 'user_id'],
  ['notifier', 'recipients', '_id'],
  ['webhooks', 'events', 'user_id'],
];
/** Partners learn of deletions; these events name nobody. */
const deletions = { type: { $nin: ['case.deleted', 'user.deleted'] } };

describeOwnSystem('a person who was erased after the backup', () => {
  let system: Awaited<ReturnType<typeof startSystemInProcess>>;
  let dev: DevFile;
  let partner: Partner;
  let nats: Awaited<ReturnType<typeof connectNats>>;
  const dbs = new Map<Stored, Connection>();
  beforeEach(async () => {
    system = await startSystemInProcess({ RATE_LIMIT_SCALE: '300', NOTIFY_DIGEST_WINDOW_S: '0' });
    dev = JSON.parse(readFileSync(join(system.dataDir, 'dev.json'), 'utf8'));
    partner = createPartner(dev, await newPartner(system.dataDir, 'Law Firm'));
    for (const name of stored) dbs.set(name, await connectDatabase(system.mongo.url(name)));
    const { user, pass: password } = system.nats.operator;
    nats = await connectNats(user, { url: system.nats.url, user, password }, { waits: false });
  });
  afterEach(async () => {
    await nats.close();
    for (const db of dbs.values()) await db.close();
    await system.stop();
  });

  /** A request to JetStream, with the rights of an operator. */
  async function ask(subject: string): Promise<{ streams?: string[]; consumers?: Pending[] }> {
    return (await nats.request(`$JS.API.${subject}`)).json();
  }

  function dbOf(name: Stored): Connection {
    const db = dbs.get(name);
    if (!db) throw new Error(`no database of ${name}`);
    return db;
  }

  /** How many rows of the person each place has. */
  async function rowsOf(userId: number, of: readonly Stored[] = stored): Promise<Record<string, number>> {
    const counts = places
      .filter(([name]) => of.includes(name))
      .map(async ([name, collection, field]) => {
        const ids = [userId, ...['email', 'whatsapp'].map((channel) => `${userId}:${channel}`)];
        const filter = { [field]: { $in: ids }, ...(name === 'webhooks' && deletions) };
        return [
          `${name}.${collection}`,
          await dbOf(name).collection(collection).countDocuments(filter),
        ] as const;
      });
    return Object.fromEntries(await Promise.all(counts));
  }

  async function dump(): Promise<Snapshot> {
    const databases: [string, Record<string, object[]>][] = [];
    for (const name of stored) {
      const collections: Record<string, object[]> = {};
      for (const { name: of } of (await dbOf(name).db?.listCollections().toArray()) ?? [])
        collections[of] = await dbOf(name).collection(of).find().toArray();
      databases.push([name, collections]);
    }
    return Object.fromEntries(databases);
  }

  /** The databases as a backup of 40 days ago leaves them: what was published has left the outboxes. */
  async function putBack(backup: Snapshot): Promise<void> {
    for (const name of stored)
      for (const { name: of } of (await dbOf(name).db?.listCollections().toArray()) ?? []) {
        const collection = dbOf(name).collection<Row>(of);
        await collection.deleteMany({});
        const rows = (backup[name]?.[of] ?? []) as Row[];
        if (of !== 'outbox' && rows.length > 0) await collection.insertMany(rows);
      }
  }

  /** A person with a case, a message, a webhook call and a watched receipt. */
  async function personWithCase() {
    const { id } = await partner.verifiedUser();
    const receipt = newReceipt();
    await setReceipt(dev, receipt, received);
    await partner.newCase(id, receipt);
    await waitFor(async () => (await rowsOf(id, ['monitor']))['monitor.watches'] === 1, {
      what: 'the watch',
    });
    await setReceipt(dev, receipt, approved);
    const isTold = async () => {
      const { 'notifier.notifications': messages = 0, 'webhooks.events': events = 0 } = await rowsOf(id);
      return messages > 0 && events > 0;
    };
    await waitFor(isTold, { what: 'the news of the change', timeoutMs: 60_000 });
    return id;
  }

  const nothing = (of: readonly Stored[] = stored) =>
    Object.fromEntries(places.filter(([name]) => of.includes(name)).map(([a, b]) => [`${a}.${b}`, 0]));
  const erase = async (id: number) => {
    expect((await partner.call('DELETE', `/v1/client/users/${id}`)).status).toBe(200);
    await waitFor(async () => Object.values(await rowsOf(id)).every((count) => count === 0), {
      what: 'the erasure',
      timeoutMs: 30_000,
    });
  };

  /** The steps of docs/operations/backup.md after the services have stopped. */
  async function restore(
    backup: Snapshot,
    erasures: readonly RecordedErasure[],
    erased: number,
  ): Promise<void> {
    await putBack(backup);
    expect(Object.values(await rowsOf(erased))).not.toContain(0);
    await deleteEventStreams(nats);
    await system.startService('identity');
    await operator(system.dataDir, 'user', 'erase-again', '--erasures', JSON.stringify(erasures));
    await waitFor(async () => (await recordedErasures(nats))?.some(({ user_id }) => user_id === erased), {
      what: 'the erasure in the stream',
    });
    expect(await rowsOf(erased, ['identity'])).toEqual(nothing(['identity']));
    for (const name of stored.filter((other) => other !== 'identity')) {
      await system.startService(name);
      // At this moment the service begins to serve.
      expect(await rowsOf(erased, [name])).toEqual(nothing([name]));
    }
    await system.startService('gateway');
  }

  async function stopAll(): Promise<void> {
    await system.stopService('gateway');
    await Promise.all(stored.map(system.stopService));
  }

  async function expectErased(erased: number, kept: number): Promise<void> {
    expect((await partner.call('GET', `/v1/client/users/${erased}`)).status).toBe(404);
    expect((await partner.call('GET', `/v1/client/cases?user_id=${kept}`)).body).toMatchObject({
      cases: [expect.anything()],
    });
    // The outboxes fill the streams again: whatever they tell of the person is dropped.
    await waitFor(
      async () => {
        for (const name of (await ask('STREAM.NAMES')).streams ?? [])
          for (const consumer of (await ask(`CONSUMER.LIST.${name}`)).consumers ?? [])
            if (consumer.num_pending + consumer.num_ack_pending > 0) return false;
        return true;
      },
      { what: 'the end of all events', timeoutMs: 60_000 },
    );
    expect(await rowsOf(erased)).toEqual(nothing());
    expect(Object.values(await rowsOf(kept))).not.toContain(0);
  }

  it('is erased everywhere before a service serves, though the events of the deletion have expired', async () => {
    await partner.newWebhook('restored', ['*']);
    const [erased, kept] = await Promise.all([personWithCase(), personWithCase()]);
    const backup = await dump();
    await erase(erased);
    await stopAll();
    await ask('STREAM.PURGE.IDENTITY');
    const erasures = await recordedErasures(nats);
    expect(erasures).toMatchObject([{ user_id: erased, partner_id: expect.any(Number) }]);
    // The stream alone is enough.
    await restore(backup, [], erased);
    await expectErased(erased, kept);
  });

  it('is erased by the ids beside a newer backup, where NATS is lost too', async () => {
    await partner.newWebhook('restored-without-nats', ['*']);
    const [erased, kept] = await Promise.all([personWithCase(), personWithCase()]);
    const backup = await dump();
    await erase(erased);
    const script = readFileSync(join(import.meta.dirname, '../../deploy/erased-users.js'), 'utf8');
    const beside = JSON.parse(runMongoshScript(script, await dump())) as RecordedErasure[];
    expect(beside).toMatchObject([{ user_id: erased, partner_id: expect.any(Number) }]);
    await stopAll();
    for (const name of (await ask('STREAM.NAMES')).streams ?? []) await ask(`STREAM.DELETE.${name}`);
    await restore(backup, beside, erased);
    await expectErased(erased, kept);
  });
});
