import { fileURLToPath } from 'node:url';
import { spawnProgram, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

type IsSending = () => Promise<unknown>;

/** Kills another process in the middle of sending the message of an update. */
async function killWhileSending(notifier: TestNotifier, id: number, isSending: IsSending): Promise<void> {
  await notifier.stopService();
  await notifier.monitor.publish('status.updated', anUpdate(id, id));
  await killAnother(notifier, isSending);
}

async function killAnother(notifier: TestNotifier, isSending: IsSending): Promise<void> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const sending = spawnProgram(main, { env: notifier.env });
  try {
    await waitFor(isSending, { timeoutMs: 45_000, intervalMs: 20, what: 'the sending' });
  } finally {
    await sending.end('SIGKILL');
  }
}

/** The kill comes before the end of this time, on a slow machine too. */
const startKillable = (settings: Record<string, string> = {}) =>
  startTestNotifier({ NOTIFY_SEND_TIMEOUT_MS: '8000', ...settings });

/** Each test has a world of its own, so that their waits overlap. */
describe('notifiers on one database', () => {
  it('killed in the middle of sending leave a claim that ends; the next one sends the mail, once, with the try of the dead one counted', async () => {
    await using notifier = await startKillable();
    const rows = notifier.db.collection<{ _id: string }>('notifications');
    notifier.users.set(501, aUser(501, { notify_by_whatsapp: false }));
    await notifier.mailFault({ mode: 'hang', to: 'person-501@example.org' });
    await killWhileSending(notifier, 501, () => rows.findOne({ _id: '501:email', status: 'sending' }));
    await notifier.mailFault({ mode: 'none' });
    await notifier.startService();
    const interrupted = await notifier.saidOf(501, 'email', 'pending');
    expect(interrupted.last_error).toMatch(/^interrupted: /);
    expect(await notifier.saidOf(501, 'email', 'sent')).toMatchObject({ attempts: 2, last_error: null });
    expect(await notifier.mails('person-501@example.org')).toHaveLength(1);
  });

  it.each([
    ['before the end of the mail, which the server cannot have accepted', 'rcpt', false],
    ['after the end of the mail, which the server may have accepted', 'after_data', true],
  ] as const)('killed %s', async (_when, at, ambiguous) => {
    await using notifier = await startKillable();
    const rows = notifier.db.collection<{ _id: string }>('notifications');
    notifier.users.set(503, aUser(503, { notify_by_whatsapp: false }));
    await notifier.mailFault({ mode: 'hang', at, to: 'person-503@example.org' });
    const sending = { _id: '503:email', status: 'sending', submitted_at: ambiguous ? { $ne: null } : null };
    await killWhileSending(notifier, 503, () => rows.findOne(sending));
    await notifier.startService();
    const interrupted = await notifier.saidOf(503, 'email', 'pending');
    expect(interrupted).toMatchObject({ attempts: 1, last_error: expect.stringMatching(/^interrupted: /) });
    expect(await rows.findOne({ _id: '503:email' })).toMatchObject({ ambiguous });
    await notifier.mailFault({ mode: 'none' });
    expect(await notifier.saidOf(503, 'email', 'sent')).toMatchObject({ last_error: null });
  });

  it('that have lost the claim before the end of a mail do not end it', async () => {
    await using notifier = await startTestNotifier({ NOTIFY_SEND_TIMEOUT_MS: '3000' });
    const rows = notifier.db.collection<{ _id: string }>('notifications');
    notifier.users.set(504, aUser(504, { notify_by_whatsapp: false }));
    await notifier.mailFault({ mode: 'hang', at: 'rcpt', to: 'person-504@example.org' });
    await notifier.monitor.publish('status.updated', anUpdate(504, 504));
    await waitFor(() => rows.findOne({ _id: '504:email', status: 'sending' }));
    await rows.updateOne({ _id: '504:email' }, { $set: { claim: 'of another replica' } });
    await notifier.mailFault({ mode: 'none' });
    expect(await notifier.saidOf(504, 'email', 'sent')).toMatchObject({ last_error: null });
    expect(await notifier.mails('person-504@example.org')).toHaveLength(1);
  });

  it('after a kill repeat no WhatsApp message that Twilio has', async () => {
    await using notifier = await startKillable();
    // Stored and never answered.
    const phone = '+12025550003';
    notifier.users.set(502, aUser(502, { notify_by_email: false, phone }));
    await killWhileSending(notifier, 502, async () => (await notifier.messages(phone)).length > 0);
    await notifier.startService();
    const settled = /^(sent|delivered)$/;
    await waitFor(() => notifier.said(502, 'whatsapp').find(({ status }) => settled.test(status)));
    expect(notifier.said(502, 'whatsapp').at(-1)).toMatchObject({ attempts: 1, last_error: null });
    expect(await notifier.messages(phone)).toHaveLength(1);
  });

  it('killed between the id of a digest at Twilio and its rows do not send it again', async () => {
    await using notifier = await startKillable({ NOTIFY_DIGEST_WINDOW_S: '1' });
    type Digest = { members: string[]; provider_message_id: string | null };
    const digests = notifier.db.collection<Digest>('digests');
    const rows = notifier.db.collection<{ channel: string }>('notifications');
    // Stored and never answered.
    const phone = '+12025550003';
    notifier.users.set(505, aUser(505, { notify_by_email: false, phone }));
    notifier.away.add('identity.people');
    for (const id of [505, 506]) await notifier.monitor.publish('status.updated', anUpdate(id, 505));
    await waitFor(async () => (await rows.countDocuments({ channel: 'whatsapp' })) === 2);
    await notifier.stopService();
    notifier.away.clear();
    await killAnother(notifier, async () => (await notifier.messages(phone)).length > 0);
    const [message] = await notifier.messages(phone);
    await digests.updateOne({}, { $set: { provider_message_id: message?.sid ?? null } });
    expect((await digests.findOne())?.members).toHaveLength(2);
    await notifier.startService();
    const settled = /^(sent|delivered)$/;
    for (const id of [505, 506])
      await waitFor(() => notifier.said(id, 'whatsapp').find(({ status }) => settled.test(status)));
    expect(await notifier.messages(phone)).toHaveLength(1);
  });

  it('at the same time send each of forty updates once', async () => {
    await using notifier = await startTestNotifier({ NOTIFY_RECIPIENT_CAP: '0' });
    const replica = await notifier.startReplica();
    try {
      notifier.users.set(601, aUser(601));
      const ids = Array.from({ length: 40 }, (_, i) => 601 + i);
      await Promise.all(ids.map((id) => notifier.monitor.publish('status.updated', anUpdate(id, 601))));
      const isDone = (id: number) =>
        notifier.said(id, 'email').some(({ status }) => status === 'sent') &&
        notifier.said(id, 'whatsapp').some(({ status }) => status === 'delivered');
      // Longer than a claim, which a process that stood still for seconds lets end by itself.
      await waitFor(() => ids.every(isDone), { timeoutMs: 120_000, what: 'all messages' });
      expect(await notifier.mails('person-601@example.org')).toHaveLength(40);
      expect(await notifier.messages('+12025551601')).toHaveLength(40);
    } finally {
      await replica.stop();
    }
  });
});
