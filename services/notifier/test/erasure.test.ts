import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

type Row = { _id: string; user_id?: number };

describe('a deleted user', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  it('leaves nothing behind, gets nothing that waited, and nothing that comes later is stored', async () => {
    const rows = notifier.db.collection('notifications');
    notifier.users.set(301, aUser(301));
    notifier.away.add('identity.people');
    await notifier.monitor.publish('status.updated', anUpdate(301, 301));
    await waitFor(async () => (await rows.countDocuments({ user_id: 301 })) === 2);
    await notifier.identity.publish('user.deleted', { user_id: 301, partner_id: 1, version: 2 });
    await waitFor(async () => (await rows.countDocuments({ user_id: 301 })) === 0);
    notifier.away.clear();

    notifier.users.set(303, aUser(303));
    await notifier.monitor.publish('status.updated', anUpdate(302, 301));
    await notifier.monitor.publish('status.updated', anUpdate(303, 303));
    await notifier.saidOf(303, 'email', 'sent');
    expect(await rows.countDocuments({ user_id: 301 })).toBe(0);
    expect(notifier.said(302, 'email')).toEqual([]);
    expect(await notifier.mails('person-301@example.org')).toEqual([]);
  });

  it('leaves nothing of an event whose intake died beside the deletion, once it comes again', async () => {
    const rows = notifier.db.collection('notifications');
    notifier.users.set(304, aUser(304));
    notifier.away.add('identity.people');
    await notifier.monitor.publish('status.updated', anUpdate(304, 304));
    await waitFor(async () => (await rows.countDocuments({ user_id: 304 })) === 2);
    // The deletion came before these rows, and the process died before it looked again.
    const tombstones = notifier.db.collection<{ _id: number; deleted_at: Date }>('tombstones');
    await tombstones.insertOne({ _id: 304, deleted_at: new Date() });
    await notifier.monitor.publish('status.updated', anUpdate(304, 304));
    await waitFor(async () => (await rows.countDocuments({ user_id: 304 })) === 0);
    notifier.away.clear();
  });

  it('leaves no mail whose request was about to store it', async () => {
    const mails = notifier.db.collection<Row>('mails');
    const message_id = 'taken-00305';
    const session = await notifier.db.startSession();
    session.startTransaction();
    // The request waits for this transaction.
    await mails.insertOne({ _id: message_id }, { session });
    const asked = notifier.identity.bus.request('notifier.send', {
      kind: 'address_taken',
      message_id,
      user_id: 305,
      to: 'person-305@example.org',
      language: 'en',
      expires_at: new Date(Date.now() + 600_000).toISOString(),
    });
    await waitFor(() => isWaiting(), { what: 'the write of the mail' });
    await deleteWhole(305);
    await session.abortTransaction();
    await session.endSession();
    expect(await asked).toEqual({ accepted: true });
    expect(await mails.countDocuments({ user_id: 305 })).toBe(0);
  });

  it('is erased by the recorded erasure, too, and kept out for 400 days from then on', async () => {
    const rows = notifier.db.collection('notifications');
    for (const id of [306, 307]) notifier.users.set(id, aUser(id));
    notifier.away.add('identity.people');
    await notifier.monitor.publish('status.updated', anUpdate(306, 306));
    await notifier.monitor.publish('status.updated', anUpdate(307, 307));
    await waitFor(async () => (await rows.countDocuments({ user_id: { $in: [306, 307] } })) === 4);
    const erased_at = '2026-10-01T10:00:00.000Z';
    await notifier.identity.publish('erasure.recorded', { user_id: 306, partner_id: 1, erased_at });
    await waitFor(async () => (await rows.countDocuments({ user_id: 306 })) === 0);
    expect(await rows.countDocuments({ user_id: 307 })).toBe(2);
    notifier.away.clear();
    const tombstones = notifier.db.collection<{ _id: number; deleted_at: Date }>('tombstones');
    expect(await tombstones.findOne({ _id: 306 })).toMatchObject({ deleted_at: new Date(erased_at) });
    const indexes = await tombstones.indexes();
    expect(indexes.find(({ key }) => 'deleted_at' in key)?.expireAfterSeconds).toBe(400 * 86_400);
  });

  async function isWaiting(): Promise<boolean> {
    const command = { currentOp: true, active: true, ns: `${notifier.db.name}.mails`, op: 'update' };
    return (await notifier.db.db?.admin().command(command))?.inprog.length > 0;
  }

  /** The deletion takes suppressions last. */
  async function deleteWhole(userId: number): Promise<void> {
    const suppressions = notifier.db.collection<Row>('suppressions');
    await suppressions.insertOne({ _id: `${userId}:email` });
    await notifier.identity.publish('user.deleted', { user_id: userId, partner_id: 1, version: 2 });
    await waitFor(async () => (await suppressions.countDocuments({ _id: `${userId}:email` })) === 0);
  }
});
