import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

describe('a deleted user', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  it('leaves nothing behind, gets nothing that waited, and nothing that comes later is stored', async () => {
    const rows = notifier.db.collection('notifications');
    notifier.users.set(301, aUser(301));
    notifier.away.add('identity.recipients');
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
});
