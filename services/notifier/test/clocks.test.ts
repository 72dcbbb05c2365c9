import { fileURLToPath } from 'node:url';
import { spawnProgram, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { shiftedClock } from './support/shifted-clock.ts';
import { startTestNotifier } from './support/start-notifier.ts';

const shiftMs = 90_000;

/** Upper bounds for a busy machine. The second is below the shift: a clock that is trusted makes a wait as long as the shift. */
const patience = { timeoutMs: 80_000 };
const shorterThanShift = { timeoutMs: 60_000 };

const startBehind = () =>
  startTestNotifier(
    // Long, so that a busy machine ends no submission; a claim lasts 70 s, less than the shift.
    { NOTIFY_RECIPIENT_CAP: '0', NOTIFY_UNANSWERED_MAILS: '16', NOTIFY_SEND_TIMEOUT_MS: '30000' },
    // A send takes longer than the time between two looks for interrupted ones (1 s).
    { clock: shiftedClock(-shiftMs), slowMs: { mail: 300, twilio: 1_500 } },
  );

/** Each test has a world of its own, so that their waits overlap. */
describe('two notifiers, one clock 90 s behind and one 90 s ahead', () => {
  it('send each mail and each message once, and treat none as interrupted while it is in progress', async () => {
    await using notifier = await startBehind();
    notifier.users.set(701, aUser(701));
    const ids = Array.from({ length: 10 }, (_, i) => 701 + i);
    await Promise.all(ids.map((id) => notifier.monitor.publish('status.updated', anUpdate(id, 701))));
    const rows = notifier.db.collection('notifications');
    await waitFor(async () => (await rows.countDocuments({ status: 'sending' })) >= 6, {
      ...patience,
      what: 'sends under way',
    });
    const replica = await notifier.startReplica(shiftedClock(shiftMs));
    try {
      for (const id of ids) {
        await waitFor(() => notifier.said(id, 'email').at(-1)?.status === 'sent', patience);
        await waitFor(() => notifier.said(id, 'whatsapp').at(-1)?.status === 'delivered', patience);
      }
      const said = ids.flatMap((id) => [...notifier.said(id, 'email'), ...notifier.said(id, 'whatsapp')]);
      expect(said.filter(({ status, attempts }) => status === 'pending' || attempts !== 1)).toEqual([]);
      expect(await notifier.mails('person-701@example.org')).toHaveLength(10);
      expect(await notifier.messages('+12025551701')).toHaveLength(10);
    } finally {
      await replica.stop();
    }
  });

  it('send an account mail once, and soon', async () => {
    await using notifier = await startBehind();
    const replica = await notifier.startReplica(shiftedClock(shiftMs));
    try {
      const ids = Array.from({ length: 6 }, (_, i) => `account-${i}`);
      for (const id of ids) {
        await notifier.identity.bus.request('notifier.send', {
          kind: 'address_taken',
          message_id: id,
          to: 'person-801@example.org',
          language: 'en',
          expires_at: new Date(Date.now() + 600_000).toISOString(),
          user_id: 801,
        });
      }
      const rows = notifier.db.collection<{ _id: string }>('mails');
      await waitFor(async () => (await rows.countDocuments({ status: 'sent' })) === ids.length, {
        ...shorterThanShift,
        what: 'six mails',
      });
      expect(await rows.distinct('attempts')).toEqual([1]);
      expect(await notifier.mails('person-801@example.org')).toHaveLength(ids.length);
    } finally {
      await replica.stop();
    }
  });

  it.each([
    ['ahead', shiftMs, 901],
    ['behind', -shiftMs, 902],
  ])(
    'of which one is killed while it sends, its clock 90 s %s: the other sends the row within a minute',
    async (_, ms, id) => {
      await using notifier = await startTestNotifier({ NOTIFY_SEND_TIMEOUT_MS: '1000' });
      await notifier.stopService();
      const program = fileURLToPath(new URL('support/shifted-notifier.program.ts', import.meta.url));
      const sending = spawnProgram(program, { args: [String(ms)], env: notifier.env });
      const rows = notifier.db.collection('notifications');
      try {
        notifier.users.set(id, aUser(id, { notify_by_whatsapp: false }));
        await notifier.mailFault({ mode: 'hang', to: `person-${id}@example.org` });
        await notifier.monitor.publish('status.updated', anUpdate(id, id));
        const sending = { status_update_id: id, channel: 'email', status: 'sending' };
        await waitFor(() => rows.findOne(sending), { ...patience, what: 'the send that is killed' });
      } finally {
        await sending.end('SIGKILL');
      }
      await notifier.mailFault({ mode: 'none' });
      await notifier.startService(shiftedClock(-ms));
      await waitFor(() => notifier.said(id, 'email').at(-1)?.status === 'sent', shorterThanShift);
      expect(await notifier.mails(`person-${id}@example.org`)).toHaveLength(1);
    },
  );
});
