import type { EventType } from '@casewatch/contracts';
import {
  type Base,
  createLogger,
  type EventHandlers,
  NotYetError,
  RetryLaterError,
} from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { countDeadLetters, countRows, failedEvents, failedEventsModel } from '../src/events/failed-events.ts';
import { readEvent } from '../src/events/received-event.ts';
import { retryEvents } from '../src/events/retry-events.ts';
import { eventOf, handlersWith, type Operator, openOperator } from './support/failing-events.ts';
import { startBases, type TestBases } from './support/start-bases.ts';

let bases: TestBases;
let webhooks: Base<'webhooks'>;
const running: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  bases = await startBases();
  webhooks = await bases.base('webhooks');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await bases.stop();
});

const partner = { partner_id: 1, status: 'active', version: 1 };
const fault = () => new TypeError('a fault of the program');
const failedOf = (retryScale: number) =>
  failedEvents({ connection: webhooks.db, clock: webhooks.clock, retryScale });
const waiting = () => countRows(webhooks.db, 'waiting');

/** Stores failed events, each due now. */
async function addRows(type: EventType, data: object, count: number): Promise<void> {
  const failed = failedOf(1);
  const place = { stream: 'IDENTITY', at: new Date(), seq: 1 };
  const bodies = Array.from({ length: count }, () => JSON.stringify(eventOf(type, data)));
  await Promise.all(
    bodies.map((body) =>
      failed.record(readEvent({ type, body, headers: {}, place }), { kind: 'failed', error: fault() }),
    ),
  );
  await failedEventsModel(webhooks.db).updateMany({ type }, { $set: { due_at: new Date() } });
}

function retry(handlers: EventHandlers, retryScale = 1): { stop(): Promise<void> } {
  const log = createLogger('webhooks', 'silent');
  const { db: connection } = webhooks;
  const retries = retryEvents({
    ...{ service: 'webhooks', connection, log, handlers: handlersWith('webhooks', handlers) },
    leases: connection,
    failed: failedOf(retryScale),
  });
  running.push(retries);
  return retries;
}

/** The most moments within one second. */
function mostASecond(moments: readonly number[]): number {
  return Math.max(0, ...moments.map((from) => moments.filter((at) => at >= from && at < from + 999).length));
}

const elapse = async (ms: number) => {
  const from = performance.now();
  await waitFor(() => performance.now() - from >= ms, { what: `${ms} ms`, timeoutMs: 2 * ms });
};

describe('failed events', () => {
  it('are tried at most 20 a second and 4 at once, fewer while most fail, each type in its turn', async () => {
    await addRows('partner.updated', partner, 300);
    const startedAt: number[] = [];
    let atOnce = 0;
    let mostAtOnce = 0;
    let isBroken = true;
    const others: number[] = [];
    retry(
      {
        'partner.updated': async () => {
          startedAt.push(performance.now());
          atOnce += 1;
          mostAtOnce = Math.max(mostAtOnce, atOnce);
          await new Promise((resolve) => setTimeout(resolve, 20));
          atOnce -= 1;
          if (isBroken) throw fault();
        },
        'user.deleted': async ({ user_id }) => void others.push(user_id),
      },
      // They are due again immediately.
      0.000_1,
    );
    await waitFor(() => startedAt.length >= 40, { what: '40 tries', timeoutMs: 60_000 });
    const from = startedAt.length;
    await elapse(4_000);
    // Down to one a second.
    expect(startedAt.length - from).toBeLessThanOrEqual(6);
    await addRows('user.deleted', { user_id: 7, partner_id: 1, version: 2 }, 1);
    const before = startedAt.length;
    await waitFor(() => others.length === 1, { what: 'the event of another type', timeoutMs: 20_000 });
    expect(startedAt.length - before).toBeLessThanOrEqual(5);
    isBroken = false;
    await waitFor(async () => (await waiting()) === 0, { what: 'all of them', timeoutMs: 90_000 });
    // A handler starts when its row is read: of four at once, some begin a second late and start in the next one.
    expect(mostASecond(startedAt)).toBeLessThanOrEqual(20 + 4);
    expect(mostAtOnce).toBeLessThanOrEqual(4);
  });

  it('of one type whose handler hangs leave a place for the others', async () => {
    await addRows('partner.updated', partner, 10);
    const hanging = Promise.withResolvers<void>();
    let hung = 0;
    const done: number[] = [];
    const retries = retry({
      'partner.updated': async () => {
        hung += 1;
        await hanging.promise;
      },
      'user.deleted': async ({ user_id }) => void done.push(user_id),
    });
    await waitFor(() => hung === 3, { what: 'three that hang' });
    await addRows('user.deleted', { user_id: 7, partner_id: 1, version: 2 }, 1);
    await waitFor(() => done.length === 1, { what: 'the other event' });
    expect(hung).toBe(3);
    hanging.resolve();
    await retries.stop();
  });

  it('are tried by one replica, and by another when that one stops', async () => {
    await addRows('partner.updated', partner, 2);
    const tries = [0, 0];
    const replicas = [0, 1].map((i) =>
      retry(
        {
          'partner.updated': async () => {
            tries[i] = (tries[i] ?? 0) + 1;
            throw fault();
          },
        },
        0.01,
      ),
    );
    await waitFor(() => Math.max(...tries) >= 10, { what: 'ten tries', timeoutMs: 20_000 });
    const first = tries.indexOf(Math.max(...tries));
    expect(tries[1 - first]).toBe(0);
    await replicas[first]?.stop();
    await waitFor(() => (tries[1 - first] ?? 0) > 0, { what: 'the other replica', timeoutMs: 20_000 });
    const last = tries[first];
    await waitFor(() => (tries[1 - first] ?? 0) > 3, { what: 'more tries', timeoutMs: 20_000 });
    expect(tries[first]).toBe(last);
  });

  it('that an erasure removes while they are tried stay removed', async () => {
    await addRows('user.updated', { user_id: 7, partner_id: 1, status: 'active', version: 1 }, 1);
    const [tried, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const retries = retry({
      'user.updated': async () => {
        tried.resolve();
        await mayEnd.promise;
        throw fault();
      },
    });
    await tried.promise;
    await failedOf(1).erase({ user_id: 7, erased_at: new Date() });
    mayEnd.resolve();
    await retries.stop();
    expect(await failedEventsModel(webhooks.db).countDocuments()).toBe(0);
  });
});

describe('an outage of 90 scaled minutes', () => {
  /** 90 minutes are 9 s, and 24 hours 144 s. */
  const scale = 1 / 600;
  const outageMs = 90 * 60_000 * scale;
  let operator: Operator;
  beforeEach(async () => {
    operator = await openOperator(bases);
  });
  afterEach(() => operator.close());

  it.each([
    ['a dependency that is away', () => new RetryLaterError('cases does not answer'), 0],
    ['objects that are not there', () => new NotYetError('the object is not known here yet'), 300],
    ['an error that nobody knows', fault, 300],
  ])('with %s leaves no dead event and no flood', async (_, error, rows) => {
    const startedAt: number[] = [];
    const done = new Set<string>();
    let isOver = false;
    await webhooks.stop();
    webhooks = await bases.base('webhooks', { EVENTS_RETRY_SCALE: scale });
    for (let i = 0; i < 300; i += 1)
      await operator.publish('partner.updated', eventOf('partner.updated', partner));
    webhooks.consume(
      handlersWith('webhooks', {
        'partner.updated': async (_data, { id }) => {
          startedAt.push(performance.now());
          if (!isOver) throw error();
          done.add(id);
        },
      }),
    );
    const begun = async () => (rows === 0 ? startedAt.length >= 20 : (await waiting()) === rows);
    await waitFor(begun, { what: 'the outage', timeoutMs: 60_000 });
    const from = startedAt.length;
    await elapse(outageMs);
    const during = startedAt.slice(from);
    expect([await waiting(), await countDeadLetters(webhooks.db)]).toEqual([rows, 0]);
    expect(mostASecond(during)).toBeLessThanOrEqual(rows === 0 ? 36 : 20);
    isOver = true;
    await waitFor(() => done.size === 300, { what: 'all events', timeoutMs: 90_000 });
    await waitFor(async () => (await waiting()) === 0, { what: 'no row' });
    expect(await countDeadLetters(webhooks.db)).toBe(0);
  });
});
