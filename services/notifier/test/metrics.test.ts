import type { Bus } from '@casewatch/platform';
import { connectAs, connectDatabase, freePort, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createNotificationStore } from '../src/store/notifications.ts';
import { whatsappTemplates } from '../src/templates/whatsapp-templates.ts';
import { aFirm, aMember, urgentChange } from './support/firm.ts';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

describe('the metrics of the notifier', () => {
  let notifier: TestNotifier;
  let port: number;
  let gateway: Bus;
  beforeAll(async () => {
    port = await freePort();
    // Slow enough that an open circuit is seen open.
    notifier = await startTestNotifier({ METRICS_PORT: String(port), NOTIFY_RETRY_SCALE: '0.2' });
    gateway = await connectAs(notifier.nats, 'gateway');
  });
  afterAll(async () => {
    await gateway.stop();
    await notifier.stop();
  });

  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const shows = (line: RegExp) => waitFor(async () => line.test(await read()), { what: String(line) });

  async function publish(id: number, email: boolean) {
    const channels = { notify_by_email: email, notify_by_whatsapp: !email };
    notifier.users.set(id, aUser(id, channels));
    await notifier.monitor.publish('status.updated', anUpdate(id, id));
  }

  it('count submissions by channel, outcome and code, without an address or id', async () => {
    await notifier.mailFault({ mode: 'reject', at: 'rcpt', code: 550, to: 'person-302@example.org' });
    await Promise.all([publish(301, true), publish(302, true), publish(303, false)]);
    await shows(/^notifier_sent_total\{channel="email",outcome="accepted",code="ok"\} 1$/m);
    await shows(/^notifier_sent_total\{channel="email",outcome="permanent",code="smtp_550"\} 1$/m);
    await shows(/^notifier_sent_total\{channel="whatsapp",outcome="accepted",code="ok"\} 1$/m);
    const ours = (await read()).split('\n').filter((line) => line.startsWith('notifier_'));
    expect(ours.join('\n')).not.toMatch(/example\.org|\+1202|30[123]/);
    const messages = async () => (await gateway.request('notifier.state', {})).messages;
    // Results are stored in batches, after they are counted.
    await waitFor(async () => (await messages()).every(({ status }) => status !== 'sending'));
    expect(await messages()).toEqual(
      expect.arrayContaining([
        { queue: 'email', status: 'failed', code: 'smtp_550', count: 1 },
        { queue: 'email', status: 'sent', code: null, count: 1 },
      ]),
    );
  });

  it('count messages that may be sent twice', async () => {
    await notifier.mailFault({ mode: 'drop_after_data', to: 'person-311@example.org' });
    await publish(311, true);
    await shows(/^notifier_ambiguous_total\{channel="email"\} 1$/m);
    await shows(/^notifier_sent_total\{channel="email",outcome="ambiguous",code="smtp_\w+"\} 1$/m);
    await notifier.mailFault({ mode: 'none' });
  });

  it('show what waits for the staff of firms, and of what no member could be told', async () => {
    notifier.away.add('identity.firm');
    const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1_000).toISOString();
    notifier.firms.set(1, aFirm([aMember(325, { away_until: tomorrow })]));
    notifier.users.set(325, aUser(325, { notify_by_email: false, notify_by_whatsapp: false }));
    await notifier.monitor.publish('status.updated', anUpdate(325, 325, urgentChange));
    await shows(/^notifier_unsent\{channel="member_mails"\} [1-9]/m);
    expect(await read()).toMatch(/^notifier_unreached_news 0$/m);
    notifier.away.clear();
    await shows(/^notifier_unreached_news 1$/m);
    await shows(/^notifier_sent_total\{channel="member_mails",outcome="accepted",code="ok"\} 1$/m);
    // A firm that works by its keys alone gets its mail, and nobody has to look why.
    notifier.firms.set(2, aFirm([]));
    notifier.users.set(326, aUser(326, { partner_id: 2, notify_by_email: false, notify_by_whatsapp: false }));
    notifier.changedCases.set(326, { partner_id: 2 });
    const update = anUpdate(326, 326, urgentChange);
    await notifier.monitor.publish('status.updated', { ...update, case: { ...update.case, partner_id: 2 } });
    await shows(/^notifier_sent_total\{channel="member_mails",outcome="accepted",code="ok"\} 2$/m);
    expect(await read()).toMatch(/^notifier_unreached_news 1$/m);
    const { queues } = await gateway.request('notifier.state', {});
    expect(queues.map(({ queue }) => queue)).toEqual(['email', 'whatsapp', 'mails', 'member_mails']);
  });

  it('show which circuit is open', async () => {
    await shows(/^notifier_circuit_open\{scope="email"\} 0$/m);
    await notifier.mailFault({ mode: 'reject', at: 'mail_from', code: 550 });
    await publish(321, true);
    await shows(/^notifier_circuit_open\{scope="email"\} 1$/m);
    expect(await read()).toMatch(/^notifier_circuit_open\{scope="whatsapp"\} 0$/m);
    const { circuits } = await gateway.request('notifier.state', {});
    expect(circuits).toEqual([{ scope: 'email', remaining_seconds: expect.any(Number) }]);
    await notifier.mailFault({ mode: 'none' });
    await shows(/^notifier_circuit_open\{scope="email"\} 0$/m);
  });

  it('show the longest wait, and whether each template is approved', async () => {
    notifier.away.add('identity.people');
    await publish(331, true);
    const rows = notifier.db.collection<{ _id: string }>('notifications');
    await waitFor(() => rows.findOne({ _id: '331:email' }));
    await notifier.stopService();
    const since = new Date(Date.now() - 100_000);
    await rows.updateOne({ _id: '331:email' }, { $set: { next_attempt_at: since } });
    const { en, es } = whatsappTemplates.status_update.body;
    const sids = notifier.config.TWILIO_CONTENT_SIDS.status_update;
    await notifier.setContents({
      [sids.en ?? '']: { language: 'en', body: en },
      [sids.es ?? '']: { language: 'es', body: es, status: 'paused' },
    });
    await notifier.startService();
    await shows(/^notifier_oldest_pending\{channel="email"\} 1\d\d$/m);
    await shows(/^notifier_template_approved\{template="status_update",language="en"\} 1$/m);
    await shows(/^notifier_template_approved\{template="status_update",language="es"\} 0$/m);
    const { queues, templates } = await gateway.request('notifier.state', {});
    const email = queues.find(({ queue }) => queue === 'email');
    expect(email?.due).toBeGreaterThan(0);
    expect(email?.oldest_seconds).toBeGreaterThanOrEqual(100);
    expect(templates?.map(({ language, finding }) => `${language}: ${finding}`)).toEqual(
      expect.arrayContaining(['en: ready', 'es: not approved: paused']),
    );
    notifier.away.clear();
    await notifier.saidOf(331, 'email', 'sent');
  });

  it('show how long a message is unsent, whatever was tried meanwhile, and not while it is held', async () => {
    const unsent = async (name: string, channel: string) =>
      Number(new RegExp(`^notifier_${name}\\{channel="${channel}"\\} (\\S+)$`, 'm').exec(await read())?.[1]);
    const rows = notifier.db.collection<{ _id: string; attempts: number }>('notifications');
    const earlier = (field: string) => [{ $set: { [field]: { $subtract: [`$${field}`, 100_000] } } }];
    await notifier.mailFault({ mode: 'greylist' });
    await publish(341, true);
    await waitFor(() => rows.findOne({ _id: '341:email', attempts: 1, status: 'pending' }));
    await rows.updateOne({ _id: '341:email' }, earlier('unsent_since'));
    const again = { _id: '341:email', attempts: { $gt: 1 }, status: 'pending' };
    await waitFor(() => rows.findOne(again), { timeoutMs: 30_000, what: 'another attempt' });
    await waitFor(async () => (await unsent('oldest_unsent', 'email')) >= 100, { timeoutMs: 30_000 });
    expect(await unsent('unsent', 'email')).toBe(1);
    const { queues } = await gateway.request('notifier.state', {});
    const email = queues.find(({ queue }) => queue === 'email');
    expect(email).toMatchObject({ unsent: 1, oldest_unsent_seconds: expect.any(Number) });
    expect(email?.oldest_unsent_seconds).toBeGreaterThanOrEqual(100);
    expect(email?.oldest_seconds).toBeLessThan(100);
    // A held one waits from the end of the hold on.
    const db = await connectDatabase(notifier.config.MONGODB_URL);
    const store = createNotificationStore(db);
    await store.postpone([{ ids: ['341:email'], dueInMs: 60_000, isHeld: true }]);
    expect(await store.unsent('email')).toEqual({ count: 0, oldestSeconds: 0 });
    // Whoever waits for another reason goes on being old.
    await rows.updateOne({ _id: '341:email' }, earlier('unsent_since'));
    await store.postpone([{ ids: ['341:email'], dueInMs: 60_000, isHeld: false }]);
    expect((await store.unsent('email')).oldestSeconds).toBeGreaterThan(30);
    await db.close();
  });

  it('show how long a sign-in code is unsent', async () => {
    await notifier.mailFault({ mode: 'greylist' });
    await notifier.identity.bus.request('notifier.send', {
      kind: 'login_code',
      message_id: 'login-00351',
      to: 'code-351@example.org',
      language: 'en',
      expires_at: new Date(Date.now() + 600_000).toISOString(),
      code: '042137',
    });
    const mails = notifier.db.collection<{ _id: string }>('mails');
    await mails.updateOne({ _id: 'login-00351' }, [
      { $set: { created_at: { $subtract: ['$created_at', 100_000] } } },
    ]);
    await shows(/^notifier_oldest_unsent\{channel="mails"\} 1\d\d$/m);
    await notifier.mailFault({ mode: 'none' });
    await shows(/^notifier_oldest_unsent\{channel="mails"\} 0$/m);
  });
});
