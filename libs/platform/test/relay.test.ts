import type { Base } from '@casewatch/platform';
import { outboxModel } from '@casewatch/platform/database';
import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { requestRebuild } from '../src/outbox/stream-loss.ts';
import { deleteUser } from './support/delete-user.ts';
import { startBases } from './support/start-bases.ts';
import { noHandlers } from './support/no-handlers.ts';

const handlers = noHandlers('identity');
const day = 24 * 60 * 60 * 1_000;

type Identity = Base<'identity'>;
type Relay = Awaited<ReturnType<typeof relayOf>>;

/** A line of the log, as far as these tests read it. */
type Line = { msg: string; types?: string[]; refused?: number };

const unpublished = ({ db }: Identity) => outboxModel(db).countDocuments({ published_at: null });

/** Each test has servers of its own, so that their waits overlap. */
async function withIdentity(run: (relay: Relay) => Promise<void>): Promise<void> {
  const bases = await startBases();
  const operator = await connect({ servers: bases.nats.url, ...bases.nats.operator });
  try {
    const lines: Line[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line) as Line) });
    await run(await relayOf(operator, await bases.base('identity', {}, { log }), lines));
  } finally {
    await operator.close();
    await bases.stop();
  }
}

async function relayOf(operator: NatsConnection, identity: Identity, lines: readonly Line[]) {
  const manager = await jetstreamManager(operator);
  return {
    /** What the relay said of publications without an acknowledgement. */
    unacknowledged: () => lines.filter(({ msg }) => msg === 'events not acknowledged by the stream'),
    operator,
    manager,
    identity,
    state: async () => (await manager.streams.info('IDENTITY')).state,
    async metric(name: string) {
      const answer = await fetch(`http://127.0.0.1:${identity.metricsPort}/metrics`);
      const text = await answer.text();
      return Number(text.match(new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (\\S+)$`, 'm'))?.[1]);
    },
    /** Rows as transactions of some time ago left them. */
    async insertRows(count: number, type: string, published_at: Date | null): Promise<void> {
      const rows = Array.from({ length: count }, (_, i) => {
        const created_at = new Date(Date.now() - day);
        return {
          _id: uuidv7({ msecs: created_at.getTime(), seq: i }),
          ...{ type, body: `{"n":${i}}`, request_id: 'r', traceparent: 't', created_at, published_at },
        };
      });
      await outboxModel(identity.db).collection.insertMany(rows as never);
    },
  };
}

describe('the relay', () => {
  // The longest one comes first: five run at once.
  it('publishes again what its stream lost in the moment before the mark', () =>
    withIdentity(async ({ manager, identity, state }) => {
      identity.startPublishing();
      identity.consume(handlers);
      for (const id of [7, 8, 9]) {
        await deleteUser(identity, id);
        const hasEvent = async () => (await state().catch(() => null))?.messages;
        await waitFor(hasEvent, { what: 'the event', intervalMs: 10, timeoutMs: 15_000 });
        await manager.streams.delete('IDENTITY');
      }
      await deleteUser(identity, 10);
      await waitFor(async () => (await state().catch(() => null))?.messages === 4, {
        what: 'all four events',
        timeoutMs: 30_000,
      });
      await waitFor(async () => (await unpublished(identity)) === 0, { what: 'the marks' });
    }));

  it('publishes events that stand behind 600 that no stream takes, notes those and shows how many', () =>
    withIdentity(async ({ identity, state, metric, insertRows }) => {
      await insertRows(300, 'revocations.announced', null);
      await insertRows(300, 'webhook.disabled', null);
      identity.startPublishing();
      identity.consume(handlers);
      await deleteUser(identity, 7);
      await waitFor(async () => (await state()).messages === 1, { what: 'the event', timeoutMs: 15_000 });
      const refused = { published_at: null, refused_at: { $type: 'date' }, refusals: { $gte: 1 } };
      const count = () => outboxModel(identity.db).collection.countDocuments(refused);
      await waitFor(async () => (await count()) === 600, { what: 'the notes', timeoutMs: 15_000 });
      await waitFor(async () => (await metric('outbox_refused')) === 600, { what: 'the metric' });
    }));

  it('publishes no event without a body, and those after it', () =>
    withIdentity(async ({ identity, state, insertRows }) => {
      await insertRows(1, 'user.updated', null);
      await outboxModel(identity.db).collection.updateMany({}, { $set: { body: '' } });
      identity.startPublishing();
      identity.consume(handlers);
      const id = await deleteUser(identity, 7);
      const rowOf = (filter: object) => outboxModel(identity.db).findOne(filter).lean();
      await waitFor(async () => (await rowOf({ _id: id }))?.published_at, { what: 'the event' });
      await waitFor(async () => (await rowOf({ body: '' }))?.refusals, { what: 'the refusal' });
      expect(await rowOf({ body: '' })).toMatchObject({ published_at: null });
      expect((await state()).messages).toBe(1);
    }));

  it('takes a stream that is gone for no refusal, and publishes the events of another one meanwhile', () =>
    withIdentity(async ({ manager, identity, state, insertRows, unacknowledged }) => {
      const deleteStream = () => manager.streams.delete('IDENTITY').catch(() => false);
      await deleteStream();
      // More than a batch, before the event of the other stream.
      await insertRows(300, 'user.updated', null);
      await insertRows(1, 'erasure.recorded', null);
      identity.startPublishing();
      // The stream is declared again meanwhile: with each try another event finds none.
      let userId = 7;
      const isUnanswered = async () => {
        await deleteStream();
        await deleteUser(identity, userId++);
        return unacknowledged().length > 0;
      };
      await waitFor(isUnanswered, { what: 'a publication without a stream', timeoutMs: 30_000 });
      const erased = async () => (await manager.streams.info('ERASED')).state.messages;
      await waitFor(async () => (await erased()) === 1, { what: 'the other stream' });
      identity.consume(handlers);
      await waitFor(async () => (await unpublished(identity)) === 0, {
        what: 'the marks',
        timeoutMs: 30_000,
      });
      expect(unacknowledged().map(({ refused }) => refused)).toEqual(unacknowledged().map(() => 0));
      const events = await outboxModel(identity.db).countDocuments({ type: { $ne: 'erasure.recorded' } });
      await waitFor(async () => (await state()).messages === events, {
        what: 'all events',
        timeoutMs: 30_000,
      });
    }));

  it('raises an alarm for messages that are missing in the middle, until they are republished', () =>
    withIdentity(async ({ manager, identity, state, metric }) => {
      identity.startPublishing();
      for (const id of [7, 8, 9]) await deleteUser(identity, id);
      await waitFor(async () => (await state()).messages === 3, { what: 'the events' });
      const gaps = () => metric('outbox_stream_gaps{stream="IDENTITY"}');
      await waitFor(async () => (await gaps()) === 0, { what: 'no gap', timeoutMs: 30_000 });
      await manager.streams.deleteMessage('IDENTITY', 2);
      await waitFor(async () => (await gaps()) === 1, { what: 'the alarm', timeoutMs: 60_000 });
      await requestRebuild(identity.db, { _id: 'IDENTITY', since: new Date(0) });
      await waitFor(async () => (await state()).messages === 5, { what: 'them again', timeoutMs: 30_000 });
      await waitFor(async () => (await gaps()) === 0, { what: 'the end of the alarm', timeoutMs: 60_000 });
    }));

  it('publishes an event that was refused, once its stream takes it', () =>
    withIdentity(async ({ manager, identity, state }) => {
      await manager.streams.update('IDENTITY', { max_msg_size: 10 });
      identity.startPublishing();
      identity.consume(handlers);
      const id = await deleteUser(identity, 7);
      const row = () => outboxModel(identity.db).findById(id).lean();
      await waitFor(async () => (await row())?.refusals, { what: 'the refusal' });
      await manager.streams.update('IDENTITY', { max_msg_size: -1 });
      await waitFor(async () => (await unpublished(identity)) === 0, {
        what: 'the event',
        timeoutMs: 15_000,
      });
      expect((await state()).messages).toBe(1);
      expect(await row()).not.toHaveProperty('refused_at');
    }));

  it('publishes an event of a transaction that began a day ago, while others come without a pause', () =>
    withIdentity(async ({ identity, state, insertRows }) => {
      identity.startPublishing();
      await deleteUser(identity, 1);
      await waitFor(async () => (await state()).messages === 1, { what: 'the first event' });
      await insertRows(1, 'user.deleted', null);
      const late = { created_at: { $lt: new Date(Date.now() - day / 2) }, published_at: { $ne: null } };
      const isPublished = async () => (await outboxModel(identity.db).countDocuments(late)) === 1;
      for (let userId = 2; !(await isPublished()); userId++) await deleteUser(identity, userId);
    }));

  it('refuses an event of more than 512 KiB while its transaction can still fail', () =>
    withIdentity(async ({ identity }) => {
      const tooLarge = deleteUser(identity, 7, 'x'.repeat(512 * 1_024));
      await expect(tooLarge).rejects.toThrow(/^the event user\.deleted has 5\d{5} bytes; at most 524288/);
      expect(await outboxModel(identity.db).countDocuments()).toBe(0);
    }));

  it('publishes again what was purged from the stream, within its duplicate window too', () =>
    withIdentity(async ({ manager, identity, state }) => {
      identity.startPublishing();
      identity.consume(handlers);
      for (const id of [7, 8]) await deleteUser(identity, id);
      await waitFor(async () => (await unpublished(identity)) === 0, { what: 'both events' });
      await manager.streams.purge('IDENTITY');
      await waitFor(async () => (await state()).messages === 2, { what: 'both again', timeoutMs: 15_000 });
    }));

  it('publishes an event that a purge took before it was marked, though the stream calls it a duplicate', () =>
    withIdentity(async ({ operator, manager, identity, state }) => {
      const id = await deleteUser(identity, 7);
      // Published by a relay that died before it marked the row.
      const row = await outboxModel(identity.db).findById(id).lean();
      await publishAsOperator(operator, 'user.deleted', row?.body ?? '', id);
      await manager.streams.purge('IDENTITY');
      identity.startPublishing();
      identity.consume(handlers);
      await waitFor(async () => (await unpublished(identity)) === 0, { what: 'the mark' });
      expect((await state()).messages).toBe(1);
    }));

  it('publishes an event once that was refused by a stream that is now recreated', () =>
    withIdentity(async ({ identity, state, insertRows }) => {
      const published_at = new Date(Date.now() - day);
      await insertRows(1, 'user.updated', published_at);
      await outboxModel(identity.db).updateMany({}, { refused_at: new Date(), refusals: 1 });
      const states = identity.db.collection<{ _id: string }>('relay_state');
      const lost = { created: '2026-01-01T00:00:00Z', seq: 1, checkpoints: [] };
      await states.insertOne({ _id: 'IDENTITY', ...lost });
      identity.startPublishing();
      const isRebuilt = { created: { $ne: lost.created }, rebuild: { $exists: false } };
      await waitFor(() => states.findOne(isRebuilt), { what: 'the end of the rebuild', timeoutMs: 15_000 });
      // It keeps its age: a row must not outlive tombstones (docs/adr/0003).
      const taken = { refused_at: { $exists: false }, published_at };
      const rows = () => outboxModel(identity.db).collection.countDocuments(taken);
      await waitFor(async () => (await rows()) === 1, {
        what: 'the try of the refused event',
        timeoutMs: 15_000,
      });
      expect((await state()).messages).toBe(1);
    }));

  it('publishes again what its first stream lost before the relay knew the stream', () =>
    withIdentity(async ({ manager, identity, state, unacknowledged }) => {
      const { config } = await manager.streams.info('IDENTITY');
      await manager.streams.delete('IDENTITY');
      await deleteUser(identity, 7);
      identity.startPublishing();
      identity.consume(handlers);
      await waitFor(() => unacknowledged().length > 0, { what: 'a pass without the stream' });
      await manager.streams.add(config).catch(() => manager.streams.info('IDENTITY'));
      await deleteUser(identity, 8);
      await waitFor(async () => (await state()).messages > 0, { what: 'the event', intervalMs: 10 });
      await manager.streams.delete('IDENTITY');
      await manager.streams.add(config);
      await waitFor(async () => (await state()).messages === 2, { what: 'both', timeoutMs: 30_000 });
      await waitFor(async () => (await unpublished(identity)) === 0, { what: 'the marks' });
    }));

  it('publishes a new event while it fills a stream that was lost, and leaves rows their age', () =>
    withIdentity(async ({ manager, identity, state, insertRows }) => {
      const at = new Date(Date.now() - day);
      identity.startPublishing();
      identity.consume(handlers);
      const known = identity.db.collection('relay_state').findOne.bind(identity.db.collection('relay_state'));
      await waitFor(() => known({ _id: 'IDENTITY' as never }), { what: 'a relay that knows the stream' });
      await insertRows(5_000, 'user.updated', at);
      await manager.streams.delete('IDENTITY');
      await waitFor(async () => (await state().catch(() => null))?.messages, {
        what: 'the first of the rebuild',
        timeoutMs: 30_000,
      });
      await deleteUser(identity, 7);
      await waitFor(async () => (await state()).messages === 5_001, {
        what: 'the whole rebuild',
        timeoutMs: 60_000,
      });
      const added = await manager.streams.getMessage('IDENTITY', { last_by_subj: 'user.deleted' });
      expect(added?.seq).toBeLessThan(5_000);
      expect(await outboxModel(identity.db).countDocuments({ published_at: at })).toBe(5_000);
    }));
});

/** Publishes an event into its stream, under an id. */
async function publishAsOperator(
  operator: NatsConnection,
  subject: string,
  body: string,
  id: string,
): Promise<void> {
  const hdrs = headers();
  hdrs.set('Nats-Msg-Id', id);
  await operator.request(subject, body, { headers: hdrs, timeout: 5_000 });
}
