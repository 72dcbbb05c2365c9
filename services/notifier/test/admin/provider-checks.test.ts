import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { readConfig } from '@casewatch/platform';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sesCheck, smtpCheck, twilioCheck } from '../../src/admin/provider-checks.ts';
import { notifierConfig } from '../../src/config.ts';
import { whatsappTemplates } from '../../src/templates/whatsapp-templates.ts';
import { createAuthority, openAmazon, topic } from '../support/amazon.ts';
import { startTestNotifier, type TestNotifier } from '../support/start-notifier.ts';

let notifier: TestNotifier;
beforeAll(async () => {
  notifier = await startTestNotifier(
    {},
    { smtpQuery: 'requireTLS=true&tls.rejectUnauthorized=false', sandbox: { smtpStartTls: true } },
  );
});
afterAll(() => notifier.stop());

const checked = async (check: typeof smtpCheck, over: Record<string, string> = {}) => {
  const found = await check.run(readConfig(notifierConfig, { ...notifier.env, ...over }));
  return found.map(({ verdict, text }) => `${verdict}: ${text}`);
};
const wrongSecret = 'a-secret-that-nobody-knows-0123456789';

it('says in one sentence whether the mail server accepts us', async () => {
  const url = notifier.env.SMTP_URL ?? '';
  expect(await checked(smtpCheck)).toEqual(['ok: accepts the connection and the sign-in.']);
  const refused = await checked(smtpCheck, { SMTP_URL: url.replace('sandbox-password', wrongSecret) });
  expect(refused).toEqual([expect.stringMatching(/^wrong: SMTP_URL: smtp_535: /)]);
  expect(refused.join()).not.toContain(wrongSecret);
  expect(await checked(smtpCheck, { SMTP_URL: 'smtp://127.0.0.1:1' })).toEqual([
    'wrong: SMTP_URL: nobody listens at the address (ECONNREFUSED).',
  ]);
  for (const other of [url.replace('smtp:', 'smtps:'), url.replace('&tls.rejectUnauthorized=false', '')])
    expect(await checked(smtpCheck, { SMTP_URL: other })).toEqual([
      expect.stringMatching(/^wrong: SMTP_URL: .*(TLS|certificate)/),
    ]);
});

it('says in one sentence each whether Twilio accepts us, and which template is not ready', async () => {
  const { en, es } = whatsappTemplates.status_update.body;
  const sids = notifier.config.TWILIO_CONTENT_SIDS.status_update;
  await notifier.setContents({
    [sids.en ?? '']: { language: 'en', body: en },
    [sids.es ?? '']: { language: 'es', body: es, status: 'paused' },
  });
  expect(await checked(twilioCheck)).toEqual(
    expect.arrayContaining([
      'ok: template status_update (en): ready.',
      'wrong: template status_update (es): not approved: paused.',
      'unknown: template status_update (pt): no SID in TWILIO_CONTENT_SIDS.',
    ]),
  );
  const refused = await checked(twilioCheck, { TWILIO_AUTH_TOKEN: wrongSecret });
  expect(refused).toEqual(['wrong: refuses TWILIO_ACCOUNT_SID or TWILIO_AUTH_TOKEN.']);
  expect(await checked(twilioCheck, { TWILIO_API_BASE_URL: 'http://127.0.0.1:1' })).toEqual([
    expect.stringMatching(/^wrong: does not answer: /),
  ]);
  expect(
    await checked(twilioCheck, { TWILIO_ACCOUNT_SID: '', TWILIO_AUTH_TOKEN: '', TWILIO_FROM: '' }),
  ).toEqual([expect.stringMatching(/^unknown: WhatsApp is off/)]);
});

it('says whether Amazon SNS can be asked from here, and tries nothing without a topic', async () => {
  const trusted = getCACertificates('default');
  const authority = createAuthority();
  const amazon = await openAmazon(authority.issue('localhost'), {});
  try {
    const over = {
      MAIL_CALLBACK_SES_TOPIC: topic,
      MAIL_CALLBACK_SES_ADDRESS: `https://localhost:${amazon.port}`,
    };
    expect(await checked(sesCheck)).toEqual([]);
    expect(await checked(sesCheck, over)).toEqual([
      expect.stringMatching(/^wrong: MAIL_CALLBACK_SES_TOPIC: .*the certificate .* is not accepted/),
    ]);
    setDefaultCACertificates([...trusted, authority.ca]);
    expect(await checked(sesCheck, over)).toEqual([
      'ok: Amazon SNS answers in the region of MAIL_CALLBACK_SES_TOPIC.',
    ]);
    expect(amazon.calls).toEqual(['/']);
    expect(await checked(sesCheck, { ...over, MAIL_CALLBACK_SES_ADDRESS: 'http://127.0.0.1:1' })).toEqual([
      expect.stringMatching(/^wrong: MAIL_CALLBACK_SES_TOPIC: .*nobody listens/),
    ]);
  } finally {
    setDefaultCACertificates([...trusted]);
    await amazon.stop();
    authority.remove();
  }
});
