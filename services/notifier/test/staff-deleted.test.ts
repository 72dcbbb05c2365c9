import { connectAs, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

describe('a member of staff who was removed', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
    // The mail server takes none: the rows wait.
    await notifier.mailFault({ mode: 'greylist' });
  });
  afterAll(() => notifier.stop());

  const rows = () => notifier.db.collection('mails');
  const common = { language: 'en', expires_at: new Date(Date.now() + 600_000).toISOString() } as const;
  const invite = (id: number, nth = 1) =>
    notifier.identity.bus.request('notifier.staff_mail', {
      ...common,
      kind: 'staff_invitation',
      message_id: `invitation-${id}-${nth}`,
      to: `member-${id}@example.org`,
      link: `${notifier.publicUrl}/console/invitation?token=x`,
      staff_id: id,
    });
  const remove = (staff_id: number) =>
    notifier.identity.publish('staff.deleted', { staff_id, partner_id: 1, version: 3, reassign_to: null });

  it('gets no mail that waits, nor one that is asked for later; the user with the same id does', async () => {
    await invite(41);
    await invite(42);
    await notifier.identity.bus.request('notifier.send', {
      ...common,
      kind: 'address_taken',
      message_id: 'taken-to-user-41',
      to: 'user-41@example.org',
      user_id: 41,
    });
    await remove(41);
    await waitFor(async () => (await rows().countDocuments({ staff_id: 41 })) === 0, {
      what: 'the deletion',
    });
    expect(await invite(41, 2)).toEqual({ accepted: true });
    expect(await rows().countDocuments({ staff_id: 41 })).toBe(0);
    expect(await rows().countDocuments({ staff_id: 42 })).toBe(1);
    expect(await rows().countDocuments({ user_id: 41 })).toBe(1);
  });

  it('is removed by identity alone', async () => {
    for (const service of ['gateway', 'cases', 'webhooks', 'monitor'] as const) {
      const { connection, stop } = await connectAs(notifier.nats, service);
      const refusal = (async () => {
        for await (const status of connection.status())
          if (status.type === 'error' && status.error.name === 'PermissionViolationError') return true;
        return false;
      })();
      connection.publish('staff.deleted', '{}');
      await connection.flush();
      await stop();
      expect([service, await refusal]).toEqual([service, true]);
    }
  });
});
