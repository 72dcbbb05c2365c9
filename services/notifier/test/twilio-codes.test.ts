import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

/** Each row of the table of Twilio's codes. `attempts`: counted at the refusal. */
const temporary = [
  ...[21212, 21603, 21608, 21609, 21619, 21656, 63007, 63008, 63020].map((code) => [400, code, 0] as const),
  ...[63027, 63028, 63029, 63030].map((code) => [400, code, 0] as const),
  ...[63012, 63018, 63999].map((code) => [400, code, 1] as const),
  [401, 20003, 0],
  [404, 20404, 0],
  [429, 20429, 0],
  [500, 20500, 1],
] as const;
/** `suppressed`: why the number gets nothing more, and for how many days. */
const final = [
  [21211, { reason: 'hard_bounce', days: 30 }],
  [63003, { reason: 'hard_bounce', days: 30 }],
  [63024, { reason: 'hard_bounce', days: 30 }],
  [21610, { reason: 'opt_out', days: null }],
  ...[21604, 63005, 63013, 63016, 63021, 63032, 63049, 21999].map((code) => [code, null] as const),
] as const;

describe('a code of Twilio', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  const phoneOf = (id: number) => `+1202555${id}`;

  async function publish(id: number): Promise<void> {
    notifier.users.set(id, aUser(id, { phone: phoneOf(id), notify_by_email: false }));
    await notifier.monitor.publish('status.updated', anUpdate(id, id));
  }

  it.each(temporary.map((row, i) => [4_100 + i, ...row] as const))(
    'for message %d (HTTP %d, %d) that can pass counts %d attempts, and the message goes when it has passed',
    async (id, status, code, attempts) => {
      await notifier.twilioFault({ mode: 'status', status, code, to: phoneOf(id) });
      await publish(id);
      const waiting = await notifier.saidOf(id, 'whatsapp', 'pending');
      expect(waiting).toMatchObject({ attempts, sent_at: null });
      expect(waiting.last_error).toMatch(new RegExp(`^twilio_${code}: [^+\\d]+$`));
      await notifier.twilioFault({ mode: 'none' });
      const sent = await notifier.saidOf(id, 'whatsapp', 'delivered');
      expect(sent.last_error).toBeNull();
      // Retries that came before the fault ended count too.
      if (attempts === 0) expect(sent.attempts).toBe(1);
      else expect(sent.attempts).toBeGreaterThan(1);
      expect(await notifier.messages(phoneOf(id))).toHaveLength(1);
    },
  );

  it.each(final.map(([code, suppressed], i) => [4_200 + i, code, suppressed] as const))(
    'ends message %d (%d) and suppresses the number as %j',
    async (id, code, suppressed) => {
      const addresses = notifier.db.collection('address_suppressions');
      await addresses.deleteMany({});
      await notifier.twilioFault({ mode: 'status', status: 400, code, to: phoneOf(id) });
      await publish(id);
      const failed = await notifier.saidOf(id, 'whatsapp', 'failed');
      expect(failed).toMatchObject({ attempts: 1, sent_at: null });
      expect(failed.last_error).toMatch(new RegExp(`^twilio_${code}: [^+\\d]+$`));
      const rows = await addresses.find().toArray();
      const found = rows.map(({ reason, at, until }) => ({
        reason,
        days: until === null ? null : (until - at) / 86_400_000,
      }));
      expect(found).toEqual(suppressed === null ? [] : [suppressed]);
    },
  );

  it.each([
    [4_301, 'html', 'twilio_503: ', 2],
    [4_302, 'drop', '', 1],
  ] as const)(
    'that does not come (message %d: %s) makes no second message',
    async (id, mode, error, tries) => {
      await notifier.twilioFault({ mode, to: phoneOf(id) });
      await publish(id);
      if (error) {
        const waiting = await notifier.saidOf(id, 'whatsapp', 'pending');
        expect(waiting).toMatchObject({ attempts: 1, last_error: expect.stringContaining(error) });
        await notifier.twilioFault({ mode: 'none' });
      }
      expect((await notifier.saidOf(id, 'whatsapp', 'delivered')).attempts).toBeGreaterThanOrEqual(tries);
      await notifier.twilioFault({ mode: 'none' });
      expect(await notifier.messages(phoneOf(id))).toHaveLength(1);
    },
  );
});
