import {
  type Base,
  connectNats,
  deleteEventStreams,
  PoisonError,
  recordedErasures,
} from '@casewatch/platform';
import { onlyEventId, transaction } from '@casewatch/platform/database';
import { waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { countDeadLetters } from '../src/events/failed-events.ts';
import { startBases, type TestBases } from './support/start-bases.ts';
import { noHandlers } from './support/no-handlers.ts';

describe('the streams in a restore', () => {
  let bases: TestBases;
  let operator: NatsConnection;
  beforeEach(async () => {
    bases = await startBases();
    const { user, pass: password } = bases.nats.operator;
    operator = await connectNats(user, { url: bases.nats.url, user, password }, { waits: false });
  });
  afterEach(async () => {
    await operator.close();
    await bases.stop();
  });

  const messagesOf = async (stream: string) =>
    (await (await jetstreamManager(operator)).streams.info(stream)).state.messages;

  const erasure = (user_id: number) => ({ user_id, partner_id: 1, erased_at: '2026-10-01T10:00:00.000Z' });
  const addErasures = ({ db, outbox }: Base<'identity'>, userIds: readonly number[]) =>
    transaction(db, async (session) => {
      for (const id of userIds) {
        const about = `user/${id}`;
        const eventId = onlyEventId('erasure.recorded', about);
        await outbox.add(session, 'erasure.recorded', about, erasure(id), eventId);
      }
    });

  it('tell who was erased, once each, after the events of the deletions have expired', async () => {
    const identity = await bases.base('identity');
    identity.startPublishing();
    await addErasures(identity, [7, 8]);
    await addErasures(identity, [8, 9]);
    await waitFor(async () => (await messagesOf('ERASED')) === 3, { what: 'three events' });
    await (await jetstreamManager(operator)).streams.purge('IDENTITY');
    const found = await recordedErasures(operator);
    expect(found?.toSorted((a, b) => a.user_id - b.user_id)).toEqual([7, 8, 9].map(erasure));
  });

  it('list nobody if nobody was erased, and say so if the stream is lost', async () => {
    expect(await recordedErasures(operator)).toEqual([]);
    const deleted = await deleteEventStreams(operator);
    expect(deleted.toSorted()).toEqual(['CASES', 'IDENTITY', 'NOTIFICATIONS', 'STATUS', 'WEBHOOKS']);
    expect(await recordedErasures(operator)).toEqual([]);
    await (await jetstreamManager(operator)).streams.delete('ERASED');
    expect(await recordedErasures(operator)).toBeNull();
    expect(await deleteEventStreams(operator)).not.toContain('ERASED');
  });

  it('keep the erasures, which every service then handles again', async () => {
    const [identity, notifier] = await Promise.all([bases.base('identity'), bases.base('notifier')]);
    const handled: number[] = [];
    const handlers = {
      ...noHandlers('notifier'),
      'user.deleted': async () => {},
      'erasure.recorded': async ({ user_id }: { user_id: number }) => void handled.push(user_id),
    };
    identity.startPublishing();
    await addErasures(identity, [7, 8]);
    notifier.consume(handlers);
    await waitFor(() => handled.length === 2, { what: 'both erasures' });
    await deleteEventStreams(operator);
    await waitFor(() => handled.length === 4, { what: 'both again', timeoutMs: 20_000 });
    expect(handled.toSorted()).toEqual([7, 7, 8, 8]);
    expect(await messagesOf('ERASED')).toBe(2);
  });

  it('are deleted, the dead letters stay in their database, and what was acknowledged is handled again', async () => {
    const [identity, notifier] = await Promise.all([bases.base('identity'), bases.base('notifier')]);
    const handled: string[] = [];
    notifier.startPublishing();
    notifier.consume({
      ...noHandlers('notifier'),
      'user.deleted': async ({ user_id }, { id }) => {
        if (user_id === 8) throw new PoisonError('an invariant is broken');
        handled.push(id);
      },
    });
    identity.startPublishing();
    identity.consume(noHandlers('identity'));
    await transaction(identity.db, async (session) => {
      const user = { partner_id: 1, version: 2 };
      for (const user_id of [7, 8])
        await identity.outbox.add(session, 'user.deleted', 'user/1', { ...user, user_id });
    });
    const letters = () => countDeadLetters(notifier.db);
    await waitFor(async () => (await letters()) === 1, { what: 'the dead letter', timeoutMs: 25_000 });
    expect(handled).toHaveLength(1);

    await deleteEventStreams(operator);
    await waitFor(() => handled.length === 2, { what: 'the event again', timeoutMs: 15_000 });
    expect(new Set(handled).size).toBe(1);
    expect(await letters()).toBe(1);
  });
});
