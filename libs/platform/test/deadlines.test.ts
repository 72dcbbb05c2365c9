import type { Principal } from '@casewatch/contracts';
import { createLogger, type Handlers, type HttpServer, startHttp, timeLeftHeader } from '@casewatch/platform';
import { type Connection, createIdempotency, prepareModels, transaction } from '@casewatch/platform/database';
import { connectDatabase, type ReplicaSet, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { threeMembers } from './support/three-members.ts';

type Thing = { _id: number; n: number };
const schema = new mongoose.Schema<Thing>(
  { _id: Number, n: Number },
  { versionKey: false, collection: 'things' },
);
const principal: Principal = { kind: 'partner', partner_id: 1, key_id: 'k', scopes: ['webhooks'] };
/** As long as a caller never waits: JavaScript for a filter, and stages that make a hundred thousand of each row. */
const slow = 'sleep(30000) || true';
const many = [{ $set: { row: { $range: [0, 100_000] } } }, { $unwind: '$row' }];
/** How long the caller of a test waits, ms, and what a busy machine may add. */
const patienceMs = 700;
const busyMs = 2_000;

describe('a call on three members of MongoDB', () => {
  let set: ReplicaSet;
  let db: Connection;
  let http: HttpServer;
  let operator: mongoose.mongo.MongoClient;
  /** What the handlers do: for a list, under the name that stands in its query. */
  const works = new Map<string, () => Promise<unknown>>();
  beforeAll(async () => {
    set = await threeMembers();
    operator = await new mongoose.mongo.MongoClient(set.url('admin')).connect();
    db = await connectDatabase(set.url('deadlines'));
    const idempotency = createIdempotency(db, ['x'.repeat(32)]);
    await prepareModels(db);
    await things().createCollection();
    await things().insertMany([
      { _id: 0, n: 0 },
      { _id: 1, n: 0 },
    ]);
    const handlers: Pick<Handlers<'webhooks'>, 'list_webhooks' | 'create_webhook'> = {
      list_webhooks: async ({ query }) => {
        await works.get(query.cursor ?? '')?.();
        return {};
      },
      create_webhook: async (call) => {
        const answer = { headers: { location: '/v1/webhooks/1' } };
        await transaction(db, async (session) => {
          await things().insertMany([{ _id: Date.now(), n: 1_000 }], { session });
          await call.remember(session, answer);
          await works.get('create')?.();
        });
        return answer;
      },
    };
    http = await startHttp({
      service: 'webhooks',
      log: createLogger('webhooks', 'silent'),
      host: '127.0.0.1',
      port: 0,
      ready: async () => true,
      api: {
        handlers: handlers as Handlers<'webhooks'>,
        clock: { now: () => new Date() },
        verifier: () => ({ principal, address: '127.0.0.1' }),
        idempotency,
        audit: undefined,
      },
      checkAnswers: false,
    });
  });
  afterAll(async () => {
    await http.stop(100);
    await db.close();
    await operator.close();
  });

  const things = () => db.model<Thing>('things', schema);

  async function call(method: 'GET' | 'POST', waitsMs = patienceMs, query = '') {
    const sentAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${http.port}/v1/webhooks${query}`, {
      method,
      headers: {
        [timeLeftHeader]: String(waitsMs),
        'content-type': 'application/json',
        ...(method === 'POST' && { 'idempotency-key': 'once' }),
      },
      ...(method === 'POST' && {
        body: JSON.stringify({ url: 'https://a.example/hook', events: ['*'] }),
      }),
    });
    const { status, headers } = response;
    return { status, retryAfter: headers.get('retry-after'), ms: performance.now() - sentAt };
  }

  /** Commands on the collection that mongod still works on, or waits in. */
  async function running(): Promise<number> {
    const command = { currentOp: true, ns: 'deadlines.things', active: true };
    return (await operator.db('admin').command(command)).inprog.length;
  }

  async function expectInTime(name: string, work: () => Promise<unknown>): Promise<void> {
    works.set(name, work);
    const answer = await call('GET', patienceMs, `?cursor=${name}`);
    expect(answer).toMatchObject({ status: 503, retryAfter: '5' });
    expect(answer.ms).toBeLessThan(patienceMs + busyMs);
    await waitFor(async () => (await running()) === 0, { timeoutMs: busyMs, what: 'the end on mongod' });
  }

  it.each<[string, () => Promise<unknown>]>([
    ['find', () => things().find({ $where: slow }).lean()],
    ['findOne', () => things().findOne({ $where: slow }).lean()],
    ['distinct', () => things().distinct('n', { $where: slow })],
    ['aggregate', () => things().aggregate([...many, ...many, { $count: 'rows' }])],
  ])('ends a %s that is slow with its caller’s time, on mongod too', expectInTime);

  describe('without replication', () => {
    beforeAll(() => set.stopReplication());
    afterAll(() => set.resumeReplication());

    it.each<[string, () => Promise<unknown>]>([
      ['insertMany', () => things().insertMany([{ _id: Date.now(), n: 1 }])],
      ['updateOne', () => things().updateOne({ _id: 0 }, { $inc: { n: 1 } })],
      ['updateMany', () => things().updateMany({}, { $inc: { n: 1 } })],
      [
        'findOneAndUpdate',
        () =>
          things()
            .findOneAndUpdate({ _id: 0 }, { $inc: { n: 1 } })
            .lean(),
      ],
      ['deleteOne', () => things().deleteOne({ _id: 1 })],
      ['bulkWrite', () => things().bulkWrite([{ updateOne: { filter: {}, update: { $inc: { n: 1 } } } }])],
    ])('ends a %s that reaches no majority with its caller’s time, on mongod too', expectInTime);
  });

  it('answers 503 where a commit reaches no majority in time; with its Idempotency-Key it happens once', async () => {
    works.set('create', () => set.stopReplication());
    const waitsMs = 2_400;
    const late = await call('POST', waitsMs);
    expect(late).toMatchObject({ status: 503, retryAfter: '5' });
    expect(late.ms).toBeLessThan(waitsMs + busyMs);
    await set.resumeReplication();
    await waitFor(async () => (await call('POST', waitsMs)).status === 201, { what: 'the answer' });
    expect(await things().countDocuments({ n: 1_000 })).toBe(1);
  });
});
