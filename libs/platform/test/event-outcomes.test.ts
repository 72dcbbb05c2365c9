import { randomInt } from 'node:crypto';
import type { Base, Bus } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { connectAs, seededRandom, waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { startConsumers } from '../src/events/consume.ts';
import { openDeadLetterBox } from '../src/events/dead-letter-box.ts';
import { createEventCounts } from '../src/events/event-counts.ts';
import { eventTimes } from '../src/events/settle-failure.ts';
import { expectedEnd, playScripts, randomScript } from './support/scripted-events.ts';
import { startBases, type TestBases } from './support/start-bases.ts';

const seed = Number(process.env.SEED ?? randomInt(1e9));
const eventCount = 120;
/** Longest time from the end of a handler to the server's answer about its event, ms. */
const settlingMs = 1_000;
/** As in production, but that what comes again comes soon, and that an own failure ends after 15 s. */
const times = {
  ...eventTimes,
  away: { firstMs: 20, longestMs: 200 },
  'not yet': { firstMs: 20, longestMs: 500, limitMs: 15_000 },
  failed: { firstMs: 20, longestMs: 500, limitMs: 15_000 },
};

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
      'status.updated': async () => {},
      'erasure.recorded': async () => {},
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
      log,
      meter,
      handlers,
      times,
      counts: createEventCounts(),
    });
  }
  identity.startPublishing();
  identity.consume({ 'contact.opted_out': async () => {}, 'erasure.recorded': async () => {} });
  await transaction(identity.db, (session) => {
    const rows = scripts.map((_, i) => ({
      subject: `user/${i + 1}`,
      data: { user_id: i + 1, partner_id: 1, version: 2 },
    }));
    return identity.outbox.addAll(session, 'user.deleted', rows);
  });
  const dieAfter = random(scripts.filter(({ ending }) => ending === 'done').length);
  await waitFor(() => played.done.filter(Boolean).length >= dieAfter, { what: 'the moment of the death' });
  const cutOff = new Set(played.underWay());
  const diesAt = performance.now();
  await dying.connection.close();

  const isOver = async () => {
    const info = await manager.consumers.info('IDENTITY', 'notifier-identity');
    return info.num_pending + info.num_ack_pending === 0 && info.delivered.stream_seq >= eventCount;
  };
  await waitFor(isOver, { what: 'the end of all events', timeoutMs: 90_000 });
  const box = await openDeadLetterBox(operator);
  const letters = await box.list('notifier');
  const ends = scripts.map((_, i) => {
    const dead = letters.filter(({ body }) => JSON.parse(body).data.user_id === i + 1);
    return [...(played.done[i] ? ['done'] : []), ...dead.map(({ kind }) => `dead: ${kind}`)];
  });
  expect(ends).toEqual(scripts.map((script) => [expectedEnd(script)]));
  // The acknowledgement, or the dead letter, of what had just ended was cut off too.
  for (const [i, at] of hadAt) if (at > diesAt - settlingMs) cutOff.add(i);
  const twice = scripts.flatMap((_, i) => ((played.done[i] ?? 0) > 1 && !cutOff.has(i) ? [i] : []));
  expect({ twice, together: [...played.together].filter((i) => !cutOff.has(i)) }).toEqual({
    twice: [],
    together: [],
  });
  // Tries of this failure: what was away before does not count. One that the death interrupted has two.
  const isCutOff = (body: string) => cutOff.has(JSON.parse(body).data.user_id - 1);
  const poison = letters.filter(({ kind, body }) => kind === 'poison' && !isCutOff(body));
  expect(poison.filter(({ tries }) => tries !== 1)).toEqual([]);
}, 150_000);
