import { randomUUID } from 'node:crypto';
import type { EventType } from '@casewatch/contracts';
import { type Base, type Delivery, NotYetError, PoisonError, RetryLaterError } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDeadLetterBox } from '../src/events/dead-letters.ts';
import {
  countDeadLetters,
  countRows,
  type FailedEventRow,
  failedEvents,
  failedEventsModel,
  mostRows,
} from '../src/events/failed-events.ts';
import { readEvent } from '../src/events/received-event.ts';
import { eventOf, handlersWith, type Operator, openOperator } from './support/failing-events.ts';
import { startBases, type TestBases } from './support/start-bases.ts';

const hourMs = 60 * 60_000;
const minuteMs = 60_000;

let bases: TestBases;
let operator: Operator;
beforeEach(async () => {
  bases = await startBases();
  operator = await openOperator(bases);
});
afterEach(async () => {
  await operator.close();
  await bases.stop();
});

const partner = { partner_id: 1, status: 'active', version: 1 };
const deleted = (user_id: number) => ({ user_id, partner_id: 1, version: 2 });
const rowsOf = ({ db }: Base<'webhooks'>) => failedEventsModel(db).find().lean<FailedEventRow[]>();
const received = (type: EventType, data: object, seq = 1) => {
  const body = JSON.stringify(eventOf(type, data));
  return readEvent({ type, body, headers: {}, place: { stream: 'IDENTITY', at: new Date(), seq } });
};

describe('1,000 events of one type that cannot be handled', () => {
  const kinds: [string, number, () => Error][] = [
    ['fail', 1, () => new TypeError('a fault of the program')],
    ['come too early', 4, () => new NotYetError('the object is not known here yet')],
    ['break an invariant', 1, () => new PoisonError('an invariant is broken')],
  ];

  it.each(kinds)('that %s delay no other', async (_, mostTries, error) => {
    const webhooks = await bases.base('webhooks');
    for (let i = 0; i < 1_000; i += 50)
      await Promise.all(
        Array.from({ length: 50 }, () =>
          operator.publish('partner.updated', eventOf('partner.updated', partner)),
        ),
      );
    const users = Array.from({ length: 20 }, (_, i) => i + 1);
    for (const id of users) await operator.publish('user.deleted', eventOf('user.deleted', deleted(id)));
    const done = new Set<number>();
    const tries = new Map<string, number>();
    const startedAt = performance.now();
    webhooks.consume(
      handlersWith('webhooks', {
        'partner.updated': async (_data, { id }) => {
          tries.set(id, (tries.get(id) ?? 0) + 1);
          throw error();
        },
        'user.deleted': async ({ user_id }) => void done.add(user_id),
      }),
    );
    let mostPending = 0;
    const isOver = async () => {
      const { num_ack_pending } = await operator.consumer('IDENTITY', 'webhooks-identity');
      mostPending = Math.max(mostPending, num_ack_pending);
      return done.size === users.length;
    };
    await waitFor(isOver, { what: '20 erasures', timeoutMs: 120_000 });
    // They waited for one pass over the others, and for no second one: those are tried again at most 20 times a second.
    const seconds = (performance.now() - startedAt) / 1_000;
    const passes = [...tries.values()].reduce((sum, count) => sum + count, 0);
    expect(passes).toBeLessThanOrEqual(1_000 * mostTries + 20 * (seconds + 1));
    // Those in progress, and those that wait for their object or their row.
    expect(mostPending).toBeLessThanOrEqual(116);
  });
});

describe('an event that failed', () => {
  it('has its row before it is acknowledged', async () => {
    const webhooks = await bases.base('webhooks');
    // The database refuses every row.
    await webhooks.db.db?.command({ collMod: 'failed_events', validator: { never: true } });
    let tries = 0;
    webhooks.consume(
      handlersWith('webhooks', {
        'partner.updated': async () => {
          tries += 1;
          throw new TypeError('a fault of the program');
        },
      }),
    );
    await operator.publish('partner.updated', eventOf('partner.updated', partner));
    await waitFor(() => tries >= 2, { what: 'a second delivery' });
    expect((await operator.consumer('IDENTITY', 'webhooks-identity')).num_ack_pending).toBe(1);
    await webhooks.db.db?.command({ collMod: 'failed_events', validator: {} });
    await waitFor(async () => (await rowsOf(webhooks)).length === 1, { what: 'the row', timeoutMs: 20_000 });
  });

  it.each([
    ['with the same id at another place of its stream', true],
    ['a second time', false],
  ])('is acknowledged without being handled when it comes %s', async (_, isRepublished) => {
    const webhooks = await bases.base('webhooks');
    const event = eventOf('partner.updated', partner);
    const tries: Delivery[] = [];
    let isBroken = true;
    const failed = failedEvents({ connection: webhooks.db, clock: webhooks.clock, retryScale: 1 });
    // As a replica left it that died between the row and the acknowledgement.
    const place = { stream: 'IDENTITY', at: new Date(0), seq: isRepublished ? 7 : 1 };
    const body = JSON.stringify(event);
    await failed.record(readEvent({ type: 'partner.updated', body, headers: {}, place }), {
      kind: 'failed',
      error: new TypeError('a fault of the program'),
    });
    const dueAt = new Date(Date.now() + hourMs);
    await failedEventsModel(webhooks.db).updateMany({}, { $set: { due_at: dueAt } });
    if (isRepublished) await operator.publish('partner.updated', event, `${event.id}.1`);
    await operator.publish('partner.updated', event, `${event.id}.2`);
    webhooks.consume(
      handlersWith('webhooks', {
        'partner.updated': async (_data, delivery) => {
          tries.push(delivery);
          if (isBroken) throw new TypeError('a fault of the program');
        },
      }),
    );
    const isAcknowledged = async () => {
      const { ack_floor } = await operator.consumer('IDENTITY', 'webhooks-identity');
      return ack_floor.stream_seq === (isRepublished ? 2 : 1);
    };
    await waitFor(isAcknowledged, { what: 'the acknowledgement' });
    expect([tries, await rowsOf(webhooks)]).toEqual([
      [],
      [expect.objectContaining({ _id: event.id, tries: 1 })],
    ]);
    isBroken = false;
    await failedEventsModel(webhooks.db).updateMany({}, { $set: { due_at: new Date() } });
    await waitFor(async () => (await rowsOf(webhooks)).length === 0, { what: 'the end of the row' });
    expect(tries).toMatchObject([{ id: event.id, isRedelivered: true }]);
  });

  it('is handled again, as one that was handled before, when its replica died before the row was removed', async () => {
    const webhooks = await bases.base('webhooks');
    const effects = webhooks.db.collection<{ _id: string }>('effects');
    const deliveries: Delivery[] = [];
    let isBroken = true;
    webhooks.consume(
      handlersWith('webhooks', {
        'partner.updated': async (_data, delivery) => {
          deliveries.push(delivery);
          if (isBroken) throw new TypeError('a fault of the program');
          await effects.updateOne({ _id: delivery.id }, { $setOnInsert: {} }, { upsert: true });
        },
      }),
    );
    await operator.publish('partner.updated', eventOf('partner.updated', partner));
    const row = await waitFor(async () => (await rowsOf(webhooks))[0], { what: 'the row' });
    isBroken = false;
    await waitFor(async () => (await rowsOf(webhooks)).length === 0, { what: 'the end of the row' });
    await failedEventsModel(webhooks.db).collection.insertOne({ ...row, due_at: new Date() } as never);
    await waitFor(async () => (await rowsOf(webhooks)).length === 0, { what: 'its end again' });
    expect(await effects.countDocuments()).toBe(1);
    expect(deliveries.at(-1)).toMatchObject({ id: row._id, isRedelivered: true });
  });

  it('is no longer dead once it was published again and handled', async () => {
    const webhooks = await bases.base('webhooks');
    let isBroken = true;
    webhooks.consume(
      handlersWith('webhooks', {
        'partner.updated': async () => {
          if (isBroken) throw new PoisonError('an invariant is broken');
        },
      }),
    );
    const event = eventOf('partner.updated', partner);
    await operator.publish('partner.updated', event);
    await waitFor(async () => (await countDeadLetters(webhooks.db)) === 1, { what: 'the dead letter' });
    isBroken = false;
    await operator.publish('partner.updated', event);
    await waitFor(async () => (await countDeadLetters(webhooks.db)) === 0, { what: 'its end' });
  });
});

describe('an event with a fault in its envelope', () => {
  it.each([
    ['that is no JSON', () => '{"user_id": 7, broken'],
    [
      'without an id',
      (id: string) => JSON.stringify({ ...eventOf('user.deleted', deleted(7)), id: `no ${id}` }),
    ],
    ['with the id of another', (id: string) => JSON.stringify(eventOf('user.deleted', deleted(7), id))],
  ])("%s is dead under its place, and takes no other event's row", async (_, bodyOf) => {
    const webhooks = await bases.base('webhooks');
    const handled: string[] = [];
    const id = randomUUID();
    await operator.publish('partner.updated', bodyOf(id));
    await operator.publish('partner.updated', eventOf('partner.updated', partner, id));
    webhooks.consume(
      handlersWith('webhooks', {
        'partner.updated': async (_data, delivery) => {
          if (handled.push(delivery.id) === 1) throw new TypeError('a fault of the program');
        },
      }),
    );
    await waitFor(() => handled.length === 2, { what: 'two tries of the other' });
    // The row of the other goes after its second try.
    await waitFor(async () => !(await failedEventsModel(webhooks.db).exists({ _id: id })), {
      what: 'the end of the row of the other',
    });
    expect(await rowsOf(webhooks)).toMatchObject([
      { _id: expect.stringMatching(/^IDENTITY\/\d+\/1$/), state: 'dead', kind: 'poison', user_id: 7 },
    ]);
  });
});

describe('an event whose dependency is away', () => {
  it('leaves no row, and after 20 in a row is tried once a second until one is done', async () => {
    const webhooks = await bases.base('webhooks');
    const startedAt: number[] = [];
    const done = new Set<string>();
    let isAway = true;
    webhooks.consume(
      handlersWith('webhooks', {
        'partner.updated': async (_data, { id }) => {
          startedAt.push(performance.now());
          if (isAway) throw new RetryLaterError('cases does not answer');
          done.add(id);
        },
      }),
    );
    for (let i = 0; i < 200; i += 1)
      await operator.publish('partner.updated', eventOf('partner.updated', partner));
    // What was under way beside the twentieth failure still begins; then there is one after the other.
    const gaps = () => startedAt.slice(1).map((at, i) => at - (startedAt[i] ?? at));
    const areApart = () =>
      startedAt.length > 25 &&
      gaps()
        .slice(-2)
        .every((ms) => ms > 500);
    await waitFor(areApart, { what: 'tries one by one', timeoutMs: 30_000 });
    const from = performance.now();
    await waitFor(() => performance.now() - from > 5_000, {
      what: 'five seconds of the outage',
      timeoutMs: 6_000,
    });
    const tries = startedAt.filter((at) => at > from).length;
    expect([tries <= 7, tries >= 1, await rowsOf(webhooks)]).toEqual([true, true, []]);
    isAway = false;
    await waitFor(() => done.size === 200, { what: 'all events', timeoutMs: 60_000 });
    expect(await rowsOf(webhooks)).toEqual([]);
  });
});

describe('a failed event', () => {
  /** A row as `failedEvents` writes it, changed. */
  async function rowOf(webhooks: Base<'webhooks'>, change: Partial<FailedEventRow>, now = new Date()) {
    const failed = failedEvents({ connection: webhooks.db, clock: { now: () => now }, retryScale: 1 });
    const event = received('partner.updated', partner);
    const failure = { kind: 'failed', error: new TypeError('a fault of the program') } as const;
    await failed.record(event, failure);
    await failedEventsModel(webhooks.db).updateOne({ _id: event.key }, { $set: change });
    const row = await failed.findWaiting(event.key);
    if (!row) throw new Error('no row');
    return {
      outcome: await failed.failAgain(row, failure),
      row: await failedEventsModel(webhooks.db).findById(event.key).lean(),
    };
  }

  it('is dead after 100 tries and 24 hours in which its service ran, and an outage alone kills none', async () => {
    const webhooks = await bases.base('webhooks');
    const now = new Date();
    const ago = (ms: number) => new Date(now.getTime() - ms);
    const cases: [string, Partial<FailedEventRow>, string][] = [
      // core.md, F2: an hour without its service, after one failure.
      ['one failure before an outage of an hour', { tries: 1, tried_at: ago(61 * minuteMs) }, 'failed'],
      ['one failure before an outage of 20 days', { tries: 1, tried_at: ago(480 * hourMs) }, 'failed'],
      ['100 tries in an hour', { tries: 99, waited_ms: hourMs, tried_at: ago(10 * minuteMs) }, 'failed'],
      ['25 hours with 99 tries', { tries: 98, waited_ms: 25 * hourMs, tried_at: ago(minuteMs) }, 'failed'],
      ['an outage of 60 hours', { tries: 150, waited_ms: 23 * hourMs, tried_at: ago(60 * hourMs) }, 'failed'],
      ['a clock that went back', { tries: 150, waited_ms: 23.9 * hourMs, tried_at: ago(-hourMs) }, 'failed'],
      [
        '24 hours and 100 tries',
        { tries: 99, waited_ms: 23.9 * hourMs, tried_at: ago(10 * minuteMs) },
        'dead',
      ],
    ];
    const found: [string, string][] = [];
    for (const [name, change] of cases) found.push([name, (await rowOf(webhooks, change, now)).outcome]);
    expect(found).toEqual(cases.map(([name, , outcome]) => [name, outcome]));
  });

  it('waits 1 s, twice as long each time, and at most 10 minutes', async () => {
    const webhooks = await bases.base('webhooks');
    const now = new Date();
    const waits: number[] = [];
    for (const tries of [1, 2, 9, 10, 500]) {
      const { row } = await rowOf(webhooks, { tries }, now);
      waits.push((Number(row?.due_at) - now.getTime()) / 1_000);
    }
    expect(waits).toEqual([2, 4, 512, 600, 600]);
  });

  it('keeps its whole body while it waits, and at most 64 KiB of it when it is dead', async () => {
    const webhooks = await bases.base('webhooks');
    const failed = failedEvents({ connection: webhooks.db, clock: webhooks.clock, retryScale: 1 });
    const model = failedEventsModel(webhooks.db);
    const large = received('partner.updated', { ...partner, note: '€'.repeat(60_000) });
    const bytes = Buffer.byteLength(large.body);
    const small = received('partner.updated', partner, 2);
    await failed.record(large, { kind: 'failed', error: new TypeError('a fault of the program') });
    const row = await failed.findWaiting(large.key);
    expect(row?.body).toBe(large.body);
    if (row) await failed.failAgain(row, { kind: 'poison', error: new PoisonError('broken') });
    await failed.record(small, { kind: 'poison', error: new PoisonError('broken') });
    const broken = readEvent({ ...large, body: '€'.repeat(60_000), place: { ...large.place, seq: 3 } });
    await failed.record(broken, { kind: 'poison', error: broken.fault });
    const dead = await model.find({ state: 'dead' }).sort({ number: 1 }).lean();
    expect(dead.map((one) => [one._id, one.body_bytes, Buffer.byteLength(one.body)])).toEqual([
      [large.key, bytes, expect.any(Number)],
      [small.key, Buffer.byteLength(small.body), Buffer.byteLength(small.body)],
      [broken.key, 180_000, 65_535],
    ]);
    for (const { body } of dead) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(64 * 1024);
    expect(large.body.startsWith(dead[0]?.body ?? 'none')).toBe(true);
    const box = openDeadLetterBox(webhooks.db, 'webhooks');
    expect(await box.replay()).toBe(1);
    expect((await box.list()).map(({ id }) => id)).toEqual([large.key, broken.key]);
  });

  it('is only counted, with its place, beyond 10,000 dead ones', async () => {
    const webhooks = await bases.base('webhooks');
    const model = failedEventsModel(webhooks.db);
    const failed = failedEvents({ connection: webhooks.db, clock: webhooks.clock, retryScale: 1 });
    const poison = { kind: 'poison', error: new PoisonError('broken') } as const;
    await failed.record(received('partner.updated', partner), poison);
    const { _id, number, ...dead } = (await model.findOne().lean()) as FailedEventRow;
    const copies = Array.from({ length: mostRows - 1 }, (_, i) => ({
      ...dead,
      _id: `copy ${i}`,
      number: 1_000 + i,
    }));
    await model.collection.insertMany(copies as never[]);
    await failed.record(received('partner.updated', partner, 7), {
      kind: 'failed',
      error: new TypeError('x'),
    });
    const fresh = failedEvents({ connection: webhooks.db, clock: webhooks.clock, retryScale: 1 });
    await fresh.record(received('partner.updated', partner, 5), poison);
    await fresh.record(received('partner.updated', partner, 6), poison);
    const waiting = await model.findOne({ state: 'waiting' }).lean<FailedEventRow>();
    if (waiting) await fresh.failAgain(waiting, poison);
    const [counted] = await model.find({ state: 'counted' }).lean();
    expect(counted).toMatchObject({
      count: 3,
      type: 'partner.updated',
      first: { stream: 'IDENTITY', seq: 5 },
      last: { seq: 7 },
    });
    expect(counted).not.toHaveProperty('body');
    expect([await countRows(webhooks.db, 'dead'), await countRows(webhooks.db, 'waiting')]).toEqual([
      mostRows,
      0,
    ]);
    expect(await countDeadLetters(webhooks.db)).toBe(mostRows + 3);
    const box = openDeadLetterBox(webhooks.db, 'webhooks');
    expect(await box.beyond()).toMatchObject([{ count: 3 }]);
    expect(await box.discard()).toBe(mostRows + 3);
    expect(await model.countDocuments()).toBe(0);
    expect(number).toBeGreaterThan(0);
    expect(_id).not.toBe('');
  });

  it('stops the consumers where 10,000 wait, until there is room', async () => {
    const webhooks = await bases.base('webhooks');
    const model = failedEventsModel(webhooks.db);
    const failed = failedEvents({ connection: webhooks.db, clock: webhooks.clock, retryScale: 1 });
    await failed.record(received('partner.updated', partner), { kind: 'failed', error: new TypeError('x') });
    const dueAt = new Date(Date.now() + hourMs);
    await model.updateMany({}, { $set: { due_at: dueAt } });
    const row = (await model.findOne().lean()) as FailedEventRow;
    await model.collection.insertMany(
      Array.from({ length: mostRows - 1 }, (_, i) => ({ ...row, _id: `copy ${i}` })) as never[],
    );
    const done: number[] = [];
    webhooks.consume(
      handlersWith('webhooks', { 'user.deleted': async ({ user_id }) => void done.push(user_id) }),
    );
    await operator.publish('user.deleted', eventOf('user.deleted', deleted(7)));
    const from = performance.now();
    await waitFor(() => performance.now() - from > 3_000, { what: 'three seconds', timeoutMs: 5_000 });
    const { num_pending, num_ack_pending } = await operator.consumer('IDENTITY', 'webhooks-identity');
    expect([done, num_pending, num_ack_pending]).toEqual([[], 1, 0]);
    await model.deleteOne({ _id: 'copy 1' });
    await waitFor(() => done.length === 1, { what: 'the event' });
  });

  it('is erased with its person, whatever its state, but what ends the data of a person is not', async () => {
    const webhooks = await bases.base('webhooks');
    const failed = failedEvents({ connection: webhooks.db, clock: webhooks.clock, retryScale: 1 });
    const failure = { kind: 'failed', error: new TypeError('a fault of the program') } as const;
    const poison = { kind: 'poison', error: new PoisonError('broken') } as const;
    const ofCase = (user_id: number) => ({
      case: { id: 3, user_case_id: 'a', receipt_number: 'EAC1', user_id, partner_id: 1 },
    });
    const facts = (user_id: number) => ({ user_id, partner_id: 1, status: 'active', version: 1 });
    const unreadable = (user_id: number) =>
      readEvent({
        ...received('user.updated', facts(user_id)),
        body: `{"data":{"user_id":${user_id},`,
        place: { stream: 'IDENTITY', at: new Date(), seq: 90 + user_id },
      });
    const about = (user_id: number) => ({
      updated: received('user.updated', facts(user_id)),
      case: received('status.check_overdue', ofCase(user_id)),
      dead: received('status.updated', ofCase(user_id)),
      unreadable: unreadable(user_id),
      caseDeleted: received('case.deleted', { ...ofCase(user_id), version: 2 }),
      userDeleted: received('user.deleted', deleted(user_id)),
    });
    const [gone, stays] = [about(7), about(8)];
    for (const { updated, case: ofTheirs, dead, unreadable, caseDeleted, userDeleted } of [gone, stays]) {
      for (const event of [updated, ofTheirs, caseDeleted, userDeleted]) await failed.record(event, failure);
      for (const event of [dead, unreadable]) await failed.record(event, poison);
    }
    await failedEventsModel(webhooks.db).updateMany({}, { $set: { due_at: new Date(Date.now() + hourMs) } });
    webhooks.consume(handlersWith('webhooks', {}));
    const left = async () => (await rowsOf(webhooks)).map(({ _id }) => _id).toSorted();
    const erasure = eventOf('erasure.recorded', {
      user_id: 7,
      partner_id: 1,
      erased_at: '2026-10-01T10:00:00.000Z',
    });
    await operator.publish('erasure.recorded', erasure);
    const expected = [gone.caseDeleted, gone.userDeleted, ...Object.values(stays)]
      .map(({ key }) => key)
      .toSorted();
    await waitFor(async () => (await left()).length === expected.length, { what: 'the erasure' });
    expect(await left()).toEqual(expected);
    // What failed while the person was erased has its row afterwards.
    await failed.record(received('user.updated', facts(7), 40), failure);
    await failed.record(received('status.updated', ofCase(7), 41), poison);
    expect(await left()).toEqual(expected);
    await operator.publish('user.deleted', eventOf('user.deleted', deleted(8)));
    const deletions = [gone, stays].flatMap(({ caseDeleted, userDeleted }) => [
      caseDeleted.key,
      userDeleted.key,
    ]);
    await waitFor(async () => (await left()).length === deletions.length, { what: 'the other erasure' });
    expect(await left()).toEqual(deletions.toSorted());
  });
});
