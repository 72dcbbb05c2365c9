import type { StatusUpdated } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const hour = 60 * 60 * 1_000;

describe('an update of which nobody was told, and that is confirmed', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  const flap: Partial<StatusUpdated> = { skip_reason: 'flap' };
  const held: Partial<StatusUpdated> = { skip_reason: 'no_content_change', skip_detail: 'held' };
  const publish = (event: StatusUpdated) => notifier.monitor.publish('status.updated', event);
  const mailsTo = (id: number) => notifier.mails(`person-${id}@example.org`);

  it.each([
    ['a return', 1_001, flap],
    ['a held change, though it is older than 72 hours', 1_002, held],
  ])('is told once, under its id: %s', async (_name, id, waiting) => {
    notifier.users.set(id, aUser(id));
    const timestamp = new Date(Date.now() - 80 * hour).toISOString();
    const event = anUpdate(id, id, { kind: 'flap', timestamp });
    await publish({ ...event, ...waiting });
    for (const channel of ['email', 'whatsapp'] as const)
      expect(await notifier.saidOf(id, channel, 'skipped')).toMatchObject({ revision: 1 });
    await publish(event);
    // Twice, as the bus may.
    await publish(event);
    expect(await notifier.saidOf(id, 'email', 'sent')).toMatchObject({ attempts: 1, last_error: null });
    expect(await notifier.saidOf(id, 'whatsapp', 'sent')).toMatchObject({ attempts: 1 });
    await publish({ ...event, ...waiting });
    const later = anUpdate(id + 500, id, { status_code: 'Case Was Denied' });
    await publish(later);
    await notifier.saidOf(id + 500, 'email', 'sent');
    expect(await mailsTo(id)).toHaveLength(2);
  });

  it('is told once where both events arrive together, and where the second comes first', async () => {
    for (const [id, isReversed] of [
      [1_011, false],
      [1_012, true],
    ] as const) {
      notifier.users.set(id, aUser(id));
      const event = anUpdate(id, id, { kind: 'flap' });
      const both = [{ ...event, ...flap }, event];
      await Promise.all((isReversed ? both.toReversed() : both).map(publish));
      await notifier.saidOf(id, 'email', 'sent');
      expect(await mailsTo(id)).toHaveLength(1);
    }
  });

  it('is never said to be skipped after it was told, where both events waited for a killed notifier', async () => {
    const ids = Array.from({ length: 8 }, (_, i) => 1_041 + i);
    for (const id of ids) notifier.users.set(id, aUser(id));
    await notifier.stopService();
    for (const id of ids) {
      const event = anUpdate(id, id, { kind: 'flap' });
      await publish(event);
      await publish({ ...event, ...flap });
    }
    await notifier.startService();
    for (const id of ids) {
      const { revision } = await notifier.saidOf(id, 'email', 'sent');
      // Cases keeps the first event of a revision: one that says something else hides that the mail was sent.
      const same = notifier.said(id, 'email').filter((said) => said.revision === revision);
      expect([...new Set(same.map(({ status }) => status))]).toEqual(['sent']);
    }
  });

  it('is not told to a person who wants no mail', async () => {
    notifier.users.set(1_021, aUser(1_021, { notify_by_email: false }));
    const event = anUpdate(1_021, 1_021, { kind: 'flap' });
    await publish({ ...event, ...flap });
    await notifier.saidOf(1_021, 'email', 'skipped');
    await publish(event);
    await notifier.saidOf(1_021, 'whatsapp', 'sent');
    expect(await mailsTo(1_021)).toEqual([]);
    const row = await notifier.db.collection<{ _id: string }>('notifications').findOne({ _id: '1021:email' });
    expect(row).toMatchObject({ status: 'skipped', reason: 'channel_disabled', attempts: 0 });
  });

  it('is told to nobody again where the reason was another one', async () => {
    notifier.users.set(1_031, aUser(1_031));
    const event = anUpdate(1_031, 1_031);
    await publish({ ...event, skip_reason: 'baseline' });
    await notifier.saidOf(1_031, 'email', 'skipped');
    await publish(event);
    await publish(anUpdate(1_032, 1_031));
    await notifier.saidOf(1_032, 'email', 'sent');
    expect(await mailsTo(1_031)).toHaveLength(1);
  });
});
