import { fileURLToPath } from 'node:url';
import { freePort, spawnProgram, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const emailOf = (id: number) => `person-${id}@example.org`;

/** Publishes updates of different users that are claimed together. */
async function publishTogether(notifier: TestNotifier, ids: readonly number[]): Promise<void> {
  notifier.away.add('identity.people');
  for (const id of ids) {
    notifier.users.set(id, aUser(id, { notify_by_whatsapp: false }));
    await notifier.monitor.publish('status.updated', anUpdate(id, id));
  }
  const stored = { status_update_id: { $in: [...ids] }, channel: 'email' };
  const rows = notifier.db.collection('notifications');
  await waitFor(async () => (await rows.countDocuments(stored)) === ids.length);
  notifier.away.clear();
}

/** Waits until the mail server has the content of all mails, and the end of at least one. @returns the recipients of those that ended */
async function waitForContents(notifier: TestNotifier, count: number): Promise<string[]> {
  const read = async () => {
    const open = await notifier.receiving();
    const ended = await notifier.mails();
    const all = ended.length > 0 && ended.length + open.length === count;
    return all && open.every(({ bytes }) => bytes > 2_000) && ended.map(({ to }) => to);
  };
  return await waitFor(read, { what: `the content of ${count} mails` });
}

async function lateAnswers(metricsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^notifier_late_answers_total (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

async function sentOf(metricsPort: number, { channel, outcome }: Record<'channel' | 'outcome', string>) {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const line = new RegExp(`^notifier_sent_total{channel="${channel}",outcome="${outcome}".*} (\\d+)$`, 'm');
  return Number(line.exec(metrics)?.[1] ?? 0);
}

/** Each test has a world of its own, so that their waits overlap. */
describe('mails that the mail server has not answered', () => {
  it('let no other mail end; after 2 s the next one does, and a login code passes those that wait', async () => {
    const metricsPort = await freePort();
    await using notifier = await startTestNotifier({
      METRICS_PORT: String(metricsPort),
      NOTIFY_SEND_TIMEOUT_MS: '6000',
    });
    await notifier.mailFault({ mode: 'hang', at: 'after_data' });
    await publishTogether(notifier, [1001, 1002, 1003]);
    const first = await waitForContents(notifier, 3);
    // Read after the mails: on a slow machine, time may have passed for more than one.
    expect(first.length).toBeLessThanOrEqual(1 + (await lateAnswers(metricsPort)));
    await notifier.identity.bus.request('notifier.send', {
      kind: 'login_code',
      message_id: 'code-1004',
      to: emailOf(1004),
      language: 'en',
      expires_at: new Date(Date.now() + 600_000).toISOString(),
      code: '042137',
    });
    const order = await waitFor(async () => {
      const recipients = (await notifier.mails()).map(({ to }) => to);
      return recipients.includes(emailOf(1004)) && recipients;
    });
    // It passed at least one that waited before it.
    expect(order.indexOf(emailOf(1004))).toBeLessThan(3);
    expect(await lateAnswers(metricsPort)).toBeGreaterThanOrEqual(1);
    await notifier.mailFault({ mode: 'none' });
    for (const id of [1001, 1002, 1003]) await notifier.saidOf(id, 'email', 'sent');
  });

  it('fail none of those that wait for them: these are due immediately, without an attempt', async () => {
    const metricsPort = await freePort();
    await using notifier = await startTestNotifier({
      METRICS_PORT: String(metricsPort),
      // They wait half of it: the turn passes on after 2 s.
      NOTIFY_SEND_TIMEOUT_MS: '3000',
      // No delay of a failure ends during the test.
      NOTIFY_RETRY_SCALE: '10',
    });
    const ids = [1201, 1202, 1203, 1204];
    await notifier.mailFault({ mode: 'hang', at: 'after_data' });
    await publishTogether(notifier, ids);
    await waitForContents(notifier, ids.length);
    await notifier.identity.bus.request('notifier.send', {
      kind: 'login_code',
      message_id: 'code-1205',
      to: emailOf(1205),
      language: 'en',
      expires_at: new Date(Date.now() + 600_000).toISOString(),
      code: '042137',
    });
    const held = { channel: 'email', outcome: 'held' };
    await waitFor(async () => (await sentOf(metricsPort, held)) > 0, { what: 'a mail that waited in vain' });
    await notifier.mailFault({ mode: 'none' });
    const ended = (await notifier.mails()).map(({ to }) => to);
    const others = ids.filter((id) => !ended.includes(emailOf(id)));
    expect(others.length).toBeGreaterThan(0);
    for (const id of others)
      expect(await notifier.saidOf(id, 'email', 'sent')).toMatchObject({ attempts: 1, last_error: null });
    for (const id of others)
      for (const { last_error } of notifier.said(id, 'email')) expect(last_error).toBeNull();
    await waitFor(async () => (await notifier.mails(emailOf(1205))).length, { what: 'the login code' });
  });

  it('are doubled by a kill during four of them only where they ended', async () => {
    await using notifier = await startTestNotifier({ NOTIFY_SEND_TIMEOUT_MS: '3000' });
    const ids = [1101, 1102, 1103, 1104];
    await notifier.stopService();
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const killed = spawnProgram(main, { env: notifier.env });
    try {
      await notifier.mailFault({ mode: 'hang', at: 'after_data' });
      await publishTogether(notifier, ids);
      await waitForContents(notifier, 4);
    } finally {
      await killed.end('SIGKILL');
    }
    const ended = (await notifier.mails()).map(({ to }) => to);
    await notifier.mailFault({ mode: 'none' });
    await notifier.startService();
    for (const id of ids) await notifier.saidOf(id, 'email', 'sent');
    const recipients = (await notifier.mails()).map(({ to }) => to);
    expect(recipients.sort()).toEqual([...ids.map(emailOf), ...ended].sort());
  });

  it('are not sent again after a kill where the mail server had accepted them', async () => {
    await using notifier = await startTestNotifier({ NOTIFY_SEND_TIMEOUT_MS: '3000' });
    const rows = notifier.db.collection<{ _id: string; [field: string]: unknown }>('notifications');
    const id = 1111;
    notifier.users.set(id, aUser(id, { notify_by_whatsapp: false }));
    await notifier.monitor.publish('status.updated', anUpdate(id, id));
    await notifier.saidOf(id, 'email', 'sent');
    const sent = await rows.findOne({ _id: `${id}:email` });
    expect(sent?.accepted).toMatchObject({ claim: sent?.claim, template: sent?.template });
    // As it is stored between the answer and the result.
    const interrupted = { ...sent, _id: `${id + 1}:email`, status_update_id: id + 1, revision: 0 };
    const ended = { status: 'sending', sent_at: null, template: null, lease_until: new Date(1) };
    await rows.insertOne({ ...interrupted, ...ended });
    expect(await notifier.saidOf(id + 1, 'email', 'sent')).toMatchObject({ attempts: 1, last_error: null });
    expect(await rows.findOne({ _id: `${id + 1}:email` })).toMatchObject({ template: sent?.template });
    expect(await notifier.mails(emailOf(id))).toHaveLength(1);
  });
});
