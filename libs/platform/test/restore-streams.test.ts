import { connectNats, deletedUsers, deleteEventStreams, PoisonError } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { startBases, type TestBases } from './support/start-bases.ts';

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

  it('tell which users were deleted', async () => {
    const identity = await bases.base('identity');
    identity.startPublishing();
    identity.consume({ 'contact.opted_out': async () => {} });
    await transaction(identity.db, async (session) => {
      const user = { partner_id: 1, version: 2 };
      for (const user_id of [7, 8]) {
        await identity.outbox.add(session, 'user.updated', 'user/1', { ...user, user_id, status: 'active' });
        await identity.outbox.add(session, 'user.deleted', 'user/1', { ...user, user_id });
      }
    });
    await waitFor(async () => (await messagesOf('IDENTITY')) === 4, { what: 'four events' });
    expect((await deletedUsers(operator))?.toSorted()).toEqual([7, 8]);
  });

  it('tell of nobody where none was deleted, and say so where the stream is lost', async () => {
    expect(await deletedUsers(operator)).toEqual([]);
    const deleted = await deleteEventStreams(operator);
    expect(deleted.toSorted()).toEqual(['CASES', 'IDENTITY', 'NOTIFICATIONS', 'STATUS', 'WEBHOOKS']);
    expect(await deletedUsers(operator)).toBeNull();
  });

  it('are deleted without the dead letters, and what was acknowledged is handled again', async () => {
    const [identity, notifier] = await Promise.all([bases.base('identity'), bases.base('notifier')]);
    const handled: string[] = [];
    notifier.startPublishing();
    notifier.consume({
      'status.updated': async () => {},
      'user.deleted': async ({ user_id }, { id }) => {
        if (user_id === 8) throw new PoisonError('an invariant is broken');
        handled.push(id);
      },
    });
    identity.startPublishing();
    identity.consume({ 'contact.opted_out': async () => {} });
    await transaction(identity.db, async (session) => {
      const user = { partner_id: 1, version: 2 };
      for (const user_id of [7, 8])
        await identity.outbox.add(session, 'user.deleted', 'user/1', { ...user, user_id });
    });
    const letters = () => messagesOf('DEAD_NOTIFIER');
    await waitFor(async () => (await letters()) === 1, { what: 'the dead letter', timeoutMs: 25_000 });
    expect(handled).toHaveLength(1);

    await deleteEventStreams(operator);
    await waitFor(() => handled.length === 2, { what: 'the event again', timeoutMs: 15_000 });
    expect(new Set(handled).size).toBe(1);
    expect(await letters()).toBeGreaterThanOrEqual(1);
  });
});
