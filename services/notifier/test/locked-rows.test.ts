import type { StatusUpdated } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

/**
 * Mails of these updates wait, as if another replica sent to their people. The returned function ends that while a transaction
 * holds the row of the update `locked`.
 */
async function startHeld(notifier: TestNotifier, updates: readonly StatusUpdated[]) {
  const recipients = notifier.db.collection<{ _id: string; claim: string | null; claim_until: Date | null }>(
    'recipients',
  );
  const rows = notifier.db.collection('notifications');
  const claim_until = new Date(Date.now() + 3_600_000);
  const userIds = [...new Set(updates.map((update) => update.case.user_id))];
  await recipients.insertMany(userIds.map((id) => ({ _id: `${id}:email`, claim: 'other', claim_until })));
  for (const id of userIds) notifier.users.set(id, aUser(id, { notify_by_whatsapp: false }));
  await Promise.all(updates.map((update) => notifier.monitor.publish('status.updated', update)));
  const areStored = async () =>
    (await rows.countDocuments({ channel: 'email', status: 'pending' })) === updates.length;
  await waitFor(areStored, { what: 'the waiting mails' });

  return async (locked: number, check: () => Promise<void>) => {
    const session = await notifier.db.startSession();
    try {
      session.startTransaction();
      const row = { status_update_id: locked, channel: 'email' };
      await rows.updateOne(row, { $set: { attempt_started_at: new Date() } }, { session });
      await recipients.updateMany({}, { $set: { claim: null, claim_until: null } });
      await check();
    } finally {
      await session.abortTransaction();
      await session.endSession();
    }
  };
}

describe('a row that a transaction holds', () => {
  /** Less than the lease of an attempt, after which it would count as interrupted. */
  const soon = { timeoutMs: 30_000, what: 'the mail' };

  it('does not hold up the mails that start with it', async () => {
    await using notifier = await startTestNotifier();
    const updates = [25, 26, 27].map((id) => anUpdate(id, id));
    const whileLocked = await startHeld(notifier, updates);
    await whileLocked(26, async () => {
      for (const id of [25, 27]) {
        const said = await waitFor(() => notifier.said(id, 'email').at(-1), soon);
        expect(said).toMatchObject({ status: 'sent', attempts: 1 });
      }
    });
    expect(await notifier.saidOf(26, 'email', 'sent')).toMatchObject({ attempts: 1 });
  });

  it('does not hold up a mail that comes after it', async () => {
    await using notifier = await startTestNotifier();
    const whileLocked = await startHeld(notifier, [anUpdate(23, 23)]);
    await whileLocked(23, async () => {
      const recipients = notifier.db.collection<{ _id: string }>('recipients');
      await waitFor(() => recipients.findOne({ _id: '23:email', claim: { $ne: null } }));
      notifier.users.set(24, aUser(24));
      await notifier.monitor.publish('status.updated', anUpdate(24, 24));
      expect(await notifier.saidOf(24, 'email', 'sent')).toMatchObject({ attempts: 1 });
      expect(notifier.said(23, 'email')).toEqual([]);
    });
    expect(await notifier.saidOf(23, 'email', 'sent')).toMatchObject({ attempts: 1 });
  });

  it('is in the mail about its case later; what is newer waits, and is told once', async () => {
    await using notifier = await startTestNotifier();
    const older = anUpdate(41, 41);
    const newer = { ...anUpdate(42, 41), case: older.case };
    const whileLocked = await startHeld(notifier, [older, newer]);
    await whileLocked(41, async () => {
      const ofNewer = { status_update_id: 42, channel: 'email' };
      const undone = { ...ofNewer, status: 'pending', fence: { $gt: 0 } };
      const row = await waitFor(() => notifier.db.collection('notifications').findOne(undone), soon);
      expect(row).toMatchObject({ attempts: 0, lease_until: null });
      expect(await notifier.mails('person-41@example.org')).toEqual([]);
    });
    for (const id of [41, 42])
      expect(await waitFor(() => notifier.said(id, 'email').at(-1), soon)).toMatchObject({
        status: 'sent',
        attempts: 1,
      });
    expect(await notifier.mails('person-41@example.org')).toHaveLength(1);
  });
});
