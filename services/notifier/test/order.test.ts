import type { StatusUpdated } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
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

/** Each test has a user of its own; their waits overlap. */
describe('several updates of one user', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier({
      NOTIFY_DIGEST_WINDOW_S: '5',
      NOTIFY_RECIPIENT_CAP: '10',
      // The second attempt comes after 30 s, when the test is over.
      NOTIFY_RETRY_SCALE: '1',
      NOTIFY_SEND_TIMEOUT_MS: '30000',
    });
    // The first messages of a process take seconds on a busy machine: it compiles what sends them.
    notifier.users.set(1, aUser(1));
    await notifier.monitor.publish('status.updated', anUpdate(1, 1, received));
    await Promise.all([notifier.saidOf(1, 'email', 'sent'), notifier.saidOf(1, 'whatsapp', 'delivered')]);
  });
  afterAll(() => notifier.stop());

  const recipients = () => notifier.db.collection<{ _id: string }>('recipients');
  const rows = () => notifier.db.collection<{ _id: string }>('notifications');

  /** Changes what the notifier knows of a recipient, once it has counted the first mail. */
  async function afterFirstMail(userId: number, change: Record<string, Date | number | null>): Promise<void> {
    const _id = `${userId}:email`;
    await waitFor(() => recipients().findOne({ _id, claim: null, day_count: 1 }));
    await recipients().updateOne({ _id }, { $set: change });
  }

  it('become at most five messages a channel when there are 100 in a minute, and all are sent', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => 1_000 + i);
    notifier.users.set(1_000, aUser(1_000, { phone: '+12025552000' }));
    // More at once would exhaust the connections of the publishing stand-in.
    for (let i = 0; i < ids.length; i += 5)
      await Promise.all(
        ids
          .slice(i, i + 5)
          .map((id) => notifier.monitor.publish('status.updated', anUpdate(id, 1_000, received))),
      );
    // Two windows pass before the last digest.
    const isDone = () =>
      ids.every((id) => notifier.said(id, 'email').some(({ status }) => status === 'sent')) &&
      ids.every((id) => notifier.said(id, 'whatsapp').some(({ status }) => status === 'delivered'));
    await waitFor(isDone, { timeoutMs: 50_000, what: 'all updates being sent' });
    for (const id of ids)
      expect(notifier.said(id, 'email').at(-1)).toMatchObject({ attempts: 1, last_error: null });
    const mails = await notifier.mails('person-1000@example.org');
    expect(mails.length).toBeLessThanOrEqual(5);
    expect(mails.length).toBeGreaterThan(1);
    const messages = await notifier.messages('+12025552000');
    expect(messages.length).toBeLessThanOrEqual(5);
    const counts = messages.map(({ content_variables: { 1: first } }) => Number(first) || 1);
    expect(counts.reduce((sum, count) => sum + count)).toBe(100);
    expect(Math.max(...counts)).toBeLessThanOrEqual(50);
  });

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

  it('wait for the digest, but a denial goes immediately', async () => {
    const to = 'person-1300@example.org';
    notifier.users.set(1_300, aUser(1_300, { notify_by_whatsapp: false }));
    await notifier.monitor.publish('status.updated', anUpdate(1_300, 1_300, received));
    await notifier.saidOf(1_300, 'email', 'sent');
    // A window that no machine is too slow for.
    const lastMessage = new Date(Date.now() + 600_000);
    await afterFirstMail(1_300, { last_message_at: lastMessage });
    await notifier.monitor.publish('status.updated', anUpdate(1_301, 1_300, received));
    const waiting = { _id: '1301:email', status: 'pending', next_attempt_at: { $gt: lastMessage } };
    await waitFor(() => rows().findOne(waiting), { what: 'an update that waits for the digest' });
    await notifier.monitor.publish('status.updated', anUpdate(1_302, 1_300, denied));
    await notifier.saidOf(1_302, 'email', 'sent');
    expect(notifier.said(1_301, 'email')).toEqual([]);
    // The window is over.
    await recipients().updateOne({ _id: '1300:email' }, { $set: { last_message_at: null } });
    await rows().updateOne({ _id: '1301:email' }, { $set: { next_attempt_at: new Date() } });
    await notifier.saidOf(1_301, 'email', 'sent');
    expect(await notifier.mails(to)).toHaveLength(3);
  });

  it('in a digest have a link that ends them with one click', async () => {
    const to = 'person-1500@example.org';
    notifier.users.set(1_500, aUser(1_500, { notify_by_whatsapp: false }));
    await notifier.monitor.publish('status.updated', anUpdate(1_500, 1_500, received));
    await notifier.saidOf(1_500, 'email', 'sent');
    const lastMessage = new Date(Date.now() + 600_000);
    await afterFirstMail(1_500, { last_message_at: lastMessage });
    const ids = [1_501, 1_502];
    for (const id of ids) await notifier.monitor.publish('status.updated', anUpdate(id, 1_500, received));
    const both = { status_update_id: { $in: ids }, channel: 'email' };
    const waiting = { ...both, status: 'pending', next_attempt_at: { $gt: lastMessage } };
    await waitFor(async () => (await rows().countDocuments(waiting)) === 2, { what: 'two that wait' });
    // The window is over, for both at the same moment.
    await recipients().updateOne({ _id: '1500:email' }, { $set: { last_message_at: null } });
    await notifier.db.transaction(async (session) => {
      await rows().updateMany(both, { $set: { next_attempt_at: new Date() } }, { session });
    });
    for (const id of ids) await notifier.saidOf(id, 'email', 'sent');
    const digests = new Set(
      (await rows().find(both).toArray()).map((row) => (row as { digest?: string }).digest),
    );
    expect([...digests]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    const mails = await notifier.mails(to);
    expect(mails).toHaveLength(2);
    const { headers, text } = mails[1] as (typeof mails)[number];
    expect(headers['message-id']).toContain(`${[...digests][0]}.digest@`);
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const link = /^<(\S+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? '';
    expect(text).toContain(link);
    expect((await fetch(link)).status).toBe(200);
    expect(await notifier.db.collection('suppressions').countDocuments({ user_id: 1_500 })).toBe(0);
    const clicked = new FormData();
    clicked.set('List-Unsubscribe', 'One-Click');
    const answer = await fetch(link, { method: 'POST', body: clicked });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ success: true, channel: 'email' }),
    ]);
    await notifier.monitor.publish('status.updated', anUpdate(1_503, 1_500, denied));
    expect((await notifier.saidOf(1_503, 'email', 'skipped')).last_error).toMatch(
      /^suppressed_unsubscribed: /,
    );
    expect(await notifier.mails(to)).toHaveLength(2);
  });

  it('over the cap wait for the next day and are not dropped, but a denial goes immediately', async () => {
    const to = 'person-1400@example.org';
    notifier.users.set(1_400, aUser(1_400, { notify_by_whatsapp: false }));
    await notifier.monitor.publish('status.updated', anUpdate(1_400, 1_400, received));
    await notifier.saidOf(1_400, 'email', 'sent');
    await afterFirstMail(1_400, { day_count: 10, last_message_at: null });
    await notifier.monitor.publish('status.updated', anUpdate(1_401, 1_400, received));
    await notifier.monitor.publish('status.updated', anUpdate(1_402, 1_400, denied));
    await notifier.saidOf(1_402, 'email', 'sent');
    const tomorrow = new Date(Date.now() + 23 * 3_600_000);
    const held = { _id: '1401:email', status: 'pending', held: true, next_attempt_at: { $gt: tomorrow } };
    await waitFor(() => rows().findOne(held));
    // The next day.
    await recipients().updateOne({ _id: '1400:email' }, { $set: { day_count: 0, last_message_at: null } });
    await rows().updateOne({ _id: '1401:email' }, { $set: { next_attempt_at: new Date() } });
    expect(await notifier.saidOf(1_401, 'email', 'sent')).toMatchObject({ attempts: 1 });
    expect(await notifier.mails(to)).toHaveLength(3);
  });
});
