import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Base, Bus } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { connectAs, seededRandom, waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { startConsumers } from '../src/events/consume.ts';
import { createEventCounts } from '../src/events/event-counts.ts';
import { failedEventsModel } from '../src/events/failed-events.ts';
import { expectedEnd, playScripts, randomScript } from './support/scripted-events.ts';
import { startBases, type TestBases } from './support/start-bases.ts';
import { noHandlers } from './support/no-handlers.ts';

const seed = Number(process.env.SEED ?? randomInt(1e9));
const eventCount = 80;
/** Longest time from the end of a handler to the server's answer: failed events of the person are erased in between, ms. */
const settlingMs = 10_000;
/** What comes again comes soon. */
const retryScale = 0.01;

let bases: TestBases;
let operator: NatsConnection;
let manager: JetStreamManager;
let replicas: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  bases = await startBases();
  operator = await connect({ servers: bases.nats.url, ...bases.nats.operator });
  manager = await jetstreamManager(operator);
});
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await operator.close();
  await bases.stop();
});

it(`ends each of ${eventCount} events as the model says, whatever fails and whichever replica dies: SEED=${seed}`, async () => {
  const random = seededRandom(seed);
  const scripts = Array.from({ length: eventCount }, () => randomScript(random));
  // Longer than JetStream waits for a sign of life.
  const slow = scripts.findIndex(({ ending }) => ending === 'done');
  Object.assign(scripts[slow] ?? {}, { steps: [], durationMs: 12_000 });
  const played = playScripts(scripts);
  const [identity, notifier] = await Promise.all([bases.base('identity'), bases.base('notifier')]);
  const dying = await connectAs(bases.nats, 'notifier');
  /** When the replica that dies had an event last, on the monotonic clock, ms. */
  const hadAt = new Map<number, number>();
  replicas = [consumeAs(notifier, notifier.bus), consumeAs(notifier, dying)];
  function consumeAs({ db, log, meter }: Base<'notifier'>, bus: Bus) {
    const handlers = {
      ...noHandlers('notifier'),
      'user.deleted': async ({ user_id }: { user_id: number }) => {
        try {
          await played.handle(user_id - 1);
        } finally {
          if (bus === dying) hadAt.set(user_id - 1, performance.now());
        }
      },
    };
    return startConsumers({
      service: 'notifier',
      bus,
      connection: db,
      leases: db,
      clock: notifier.clock,
      log,
      meter,
      handlers,
      retryScale,
      counts: createEventCounts(),
    });
  }
  identity.startPublishing();
  identity.consume(noHandlers('identity'));
  await transaction(identity.db, (session) => {
    const rows = scripts.map((_, i) => ({
      subject: `user/${i + 1}`,
      data: { user_id: i + 1, partner_id: 1, version: 2 },
    }));
    return identity.outbox.addAll(session, 'user.deleted', rows);
  });
  const dieAfter = random(scripts.filter(({ ending }) => ending === 'done').length);
  // The last ones come through retries, which are slow while most fail.
  const isTime = () => played.done.filter(Boolean).length >= dieAfter;
  await waitFor(isTime, { what: 'the moment of the death', timeoutMs: 120_000 });
  const cutOff = new Set(played.underWay());
  const diesAt = performance.now();
  await dying.connection.close();

  const rowsNow = () => failedEventsModel(notifier.db).find().lean();
  const endsNow = async () => {
    const rows = await rowsNow();
    return scripts.map((_, i) => {
      const found = rows.filter(({ user_id }) => user_id === i + 1);
      return [...(played.done[i] ? ['done'] : []), ...found.map(({ state, kind }) => `${state}: ${kind}`)];
    });
  };
  const expected = scripts.map((script) => [expectedEnd(script)]);
  const isOver = async () => {
    const info = await manager.consumers.info('IDENTITY', 'notifier-identity');
    const isQuiet = info.num_pending + info.num_ack_pending === 0 && info.delivered.stream_seq >= eventCount;
    return isQuiet && isDeepStrictEqual(await endsNow(), expected);
  };
  await waitFor(isOver, { what: 'the end of all events', timeoutMs: 120_000 }).catch(() => undefined);
  expect(await endsNow()).toEqual(expected);
  // The acknowledgement, or the dead letter, of what had just ended was cut off too.
  for (const [i, at] of hadAt) if (at > diesAt - settlingMs) cutOff.add(i);
  const twice = scripts.flatMap((_, i) => ((played.done[i] ?? 0) > 1 && !cutOff.has(i) ? [i] : []));
  expect({ twice, together: [...played.together].filter((i) => !cutOff.has(i)) }).toEqual({
    twice: [],
    together: [],
  });
  // What was away before does not count.
  const rows = await rowsNow();
  const firstTries = rows.filter(({ user_id = 0, kind }) => {
    const steps = scripts[user_id - 1]?.steps ?? [];
    return kind === 'poison' && steps.every((step) => step === 'away') && !cutOff.has(user_id - 1);
  });
  expect(firstTries.filter(({ tries }) => tries !== 1)).toEqual([]);
});
