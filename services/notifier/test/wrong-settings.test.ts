import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const sids = { en: `HX${'0'.repeat(31)}1`, es: `HX${'0'.repeat(31)}2`, pt: `HX${'0'.repeat(31)}3` };

describe('a fault in the settings', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier(
      { TWILIO_CONTENT_SIDS: JSON.stringify({ status_update: sids, status_digest: {}, first_update: {} }) },
      { smtpQuery: 'requireTLS=true&tls.rejectUnauthorized=false', sandbox: { smtpStartTls: true } },
    );
  });
  afterAll(() => notifier.stop());

  async function publish(ids: number[], user: Parameters<typeof aUser>[1]) {
    for (const id of ids) notifier.users.set(id, aUser(id, user));
    await Promise.all(ids.map((id) => notifier.monitor.publish('status.updated', anUpdate(id, id))));
  }

  async function restartWith(url: string) {
    await notifier.stopService();
    notifier.env.SMTP_URL = url;
    await notifier.startService();
  }

  it.each([
    ['password', (url: string) => url.replace('sandbox-password', 'wrong'), /^smtp_535: 5\.7\.8 /],
    ['user', (url: string) => url.replace('sandbox:', 'stranger:'), /^smtp_535: 5\.7\.8 /],
    ['protocol', (url: string) => url.replace('smtp:', 'smtps:'), /^smtp_\w+: no secure connection/],
    [
      'certificate',
      (url: string) => url.replace('&tls.rejectUnauthorized=false', ''),
      /^smtp_\w+: no secure connection/,
    ],
  ] as const)(
    'such as a wrong %s for the mail server costs mails no attempt, and WhatsApp nothing',
    async (what, change, error) => {
      const right = notifier.env.SMTP_URL ?? '';
      const first = { password: 900, user: 910, protocol: 920, certificate: 930 }[what];
      const ids = Array.from({ length: 7 }, (_, i) => first + i);
      await restartWith(change(right));
      await publish(ids, {});
      for (const id of ids) {
        const waiting = await notifier.saidOf(id, 'email', 'pending');
        expect(waiting).toMatchObject({ attempts: 0, last_error: expect.stringMatching(error) });
        expect(await notifier.saidOf(id, 'whatsapp', 'delivered')).toMatchObject({ attempts: 1 });
      }
      await restartWith(right);
      for (const id of ids) {
        expect(await notifier.saidOf(id, 'email', 'sent')).toMatchObject({ attempts: 1 });
        expect(await notifier.mails(`person-${id}@example.org`)).toHaveLength(1);
      }
    },
  );

  it('such as a broken Portuguese template delays Portuguese messages, and no others', async () => {
    const portuguese = Array.from({ length: 7 }, (_, i) => 940 + i);
    const english = Array.from({ length: 7 }, (_, i) => 950 + i);
    await notifier.twilioFault({ mode: 'status', status: 400, code: 63028, content_sid: sids.pt });
    await publish(portuguese, { preferred_language: 'pt', notify_by_email: false });
    await publish(english, { notify_by_email: false });
    for (const id of english)
      expect(await notifier.saidOf(id, 'whatsapp', 'delivered')).toMatchObject({ attempts: 1 });
    // After the fifth refusal one message at a time tries the template, and nobody says which: the others wait untried.
    const tried = () => portuguese.flatMap((id) => notifier.said(id, 'whatsapp'));
    await waitFor(() => tried().length >= 5, { what: 'five refused messages' });
    const broken = { attempts: 0, last_error: 'twilio_63028: the template takes other parameters' };
    for (const said of tried()) expect(said).toMatchObject({ status: 'pending', ...broken });
    await notifier.twilioFault({ mode: 'none' });
    for (const id of portuguese)
      expect(await notifier.saidOf(id, 'whatsapp', 'delivered')).toMatchObject({ attempts: 1 });
  });
});
