import type { StatusUpdated } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

type Change = Partial<StatusUpdated['status_update']>;

const received: Change = {
  status_code: 'Case Was Received',
  status_code_es: 'Caso Fue Recibido',
  status_code_pt: 'Caso recebido',
  status_slug: 'case_was_received',
  category: 'received',
};
const denied: Change = { status_code: 'Case Was Denied', status_slug: 'case_was_denied', category: 'denied' };

/** An update of another case than its own id. */
function anUpdateOf(id: number, caseId: number, userId: number, change: Change): StatusUpdated {
  const update = anUpdate(id, userId, change);
  return { ...update, case: { ...anUpdate(caseId, userId).case } };
}

describe('several updates of one user', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier({
      NOTIFY_DIGEST_WINDOW_S: '5',
      NOTIFY_RECIPIENT_CAP: '0',
      // The second attempt comes after 30 s, when the test is over.
      NOTIFY_RETRY_SCALE: '1',
    });
  });
  afterAll(() => notifier.stop());

  it('become at most five messages a channel when there are 100 in a minute, and all are sent', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => 1_000 + i);
    notifier.users.set(1_000, aUser(1_000, { phone: '+12025552000' }));
    // More at once would exhaust the connections of the publishing stand-in.
    for (let i = 0; i < ids.length; i += 10)
      await Promise.all(
        ids
          .slice(i, i + 10)
          .map((id) => notifier.monitor.publish('status.updated', anUpdate(id, 1_000, received))),
      );
    for (const id of ids) {
      expect(await notifier.saidOf(id, 'email', 'sent')).toMatchObject({ attempts: 1, last_error: null });
      expect(await notifier.saidOf(id, 'whatsapp', 'delivered')).toMatchObject({ attempts: 1 });
    }
    const mails = await notifier.mails('person-1000@example.org');
    expect(mails.length).toBeLessThanOrEqual(5);
    expect(mails.length).toBeGreaterThan(1);
    const messages = await notifier.messages('+12025552000');
    expect(messages.length).toBeLessThanOrEqual(5);
    const counts = messages.map(({ content_variables: { 1: first } }) => Number(first) || 1);
    expect(counts.reduce((sum, count) => sum + count)).toBe(100);
    expect(Math.max(...counts)).toBeLessThanOrEqual(50);
  }, 60_000);

  it('are one mail with the newest first when the first waits for another attempt', async () => {
    const to = 'person-1200@example.org';
    notifier.users.set(1_200, aUser(1_200, { notify_by_whatsapp: false }));
    await notifier.mailFault({ mode: 'greylist', to });
    await notifier.monitor.publish('status.updated', anUpdateOf(1_200, 1_200, 1_200, received));
    await notifier.saidOf(1_200, 'email', 'pending');
    await notifier.mailFault({ mode: 'none' });
    await notifier.monitor.publish('status.updated', anUpdateOf(1_201, 1_200, 1_200, denied));
    await notifier.saidOf(1_201, 'email', 'sent');
    await notifier.saidOf(1_200, 'email', 'sent');
    const mails = await notifier.mails(to);
    expect(mails).toHaveLength(1);
    const text = mails[0]?.text ?? '';
    expect(text.indexOf('Case Was Denied')).toBeGreaterThan(-1);
    expect(text.lastIndexOf('Case Was Received')).toBeGreaterThan(text.indexOf('Case Was Denied'));
  });

  it('wait for the digest, but a denial goes at once', async () => {
    const to = 'person-1300@example.org';
    notifier.users.set(1_300, aUser(1_300, { notify_by_whatsapp: false }));
    await notifier.monitor.publish('status.updated', anUpdate(1_300, 1_300, received));
    await notifier.saidOf(1_300, 'email', 'sent');
    await notifier.monitor.publish('status.updated', anUpdate(1_301, 1_300, received));
    await notifier.monitor.publish('status.updated', anUpdate(1_302, 1_300, denied));
    await notifier.saidOf(1_302, 'email', 'sent');
    expect(notifier.said(1_301, 'email')).toEqual([]);
    await notifier.saidOf(1_301, 'email', 'sent');
    expect(await notifier.mails(to)).toHaveLength(3);
  });
});
