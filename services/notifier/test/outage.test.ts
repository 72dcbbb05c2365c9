import { freePort } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

describe('mail server and Twilio away for a while', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    const [smtpPort, mailPort, twilioPort] = await Promise.all([freePort(), freePort(), freePort()]);
    notifier = await startTestNotifier({}, { sandbox: { smtpPort, mailPort, twilioPort } });
  });
  afterAll(() => notifier.stop());

  it('holds the messages, says why, and sends each once when they are back', async () => {
    await notifier.stopSandbox();
    notifier.users.set(401, aUser(401));
    await notifier.monitor.publish('status.updated', anUpdate(401, 401));
    const mail = await notifier.saidOf(401, 'email', 'pending');
    expect(mail).toMatchObject({ attempts: 1, sent_at: null });
    expect(mail.last_error).toMatch(/^smtp_econnrefused: /);
    expect((await notifier.saidOf(401, 'whatsapp', 'pending')).last_error).toMatch(/^twilio_econnrefused: /);
    await notifier.startSandbox();
    expect((await notifier.saidOf(401, 'email', 'sent')).attempts).toBeGreaterThan(1);
    expect((await notifier.saidOf(401, 'whatsapp', 'delivered')).attempts).toBeGreaterThan(1);
    expect(await notifier.mails('person-401@example.org')).toHaveLength(1);
    expect(await notifier.messages('+12025551401')).toHaveLength(1);
  });

  it('goes on with what waited after a restart of its own', async () => {
    await notifier.stopSandbox();
    notifier.users.set(402, aUser(402, { notify_by_whatsapp: false }));
    await notifier.monitor.publish('status.updated', anUpdate(402, 402));
    await notifier.saidOf(402, 'email', 'pending');
    await notifier.stopService();
    await notifier.startService();
    await notifier.startSandbox();
    await notifier.saidOf(402, 'email', 'sent');
    expect(await notifier.mails('person-402@example.org')).toHaveLength(1);
  });
});
