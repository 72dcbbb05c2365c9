import { generateKeyPairSync } from 'node:crypto';
import { freePort, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import twilio from 'twilio';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

describe('what a mail provider reports', () => {
  let notifier: TestNotifier;
  let metricsPort: number;
  beforeAll(async () => {
    metricsPort = await freePort();
    notifier = await startTestNotifier({
      METRICS_PORT: String(metricsPort),
      MAIL_DKIM_DOMAIN: 'casewatch.example',
      MAIL_DKIM_SELECTOR: 'test',
      MAIL_DKIM_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    });
  });
  afterAll(() => notifier.stop());

  /** A mail about an update is accepted; the id is the user's, the case's and the update's. */
  async function sendMail(id: number, userId = id) {
    const user = aUser(userId, { notify_by_whatsapp: false, email: `Person-${userId}@example.org` });
    notifier.users.set(userId, user);
    await notifier.monitor.publish('status.updated', anUpdate(id, userId));
    await notifier.saidOf(id, 'email', 'sent');
    return user.email;
  }

  it.each(['sendgrid', 'resend'] as const)(
    'as a hard bounce fails the mail and ends further ones, also after the user is erased: %s',
    async (provider) => {
      const id = provider === 'sendgrid' ? 701 : 711;
      const to = await sendMail(id);
      const { response_status } = await notifier.report({ provider, event: 'bounce', to });
      expect(response_status).toBe(204);
      expect((await notifier.saidOf(id, 'email', 'failed')).last_error).toMatch(/^bounce_[\w.]+: \S/);
      await notifier.identity.publish('user.deleted', { user_id: id, partner_id: 1, version: 2 });
      await waitFor(async () => {
        const left = await notifier.db.collection('notifications').countDocuments({ user_id: id });
        return left === 0;
      });
      notifier.users.set(id + 1, aUser(id + 1, { email: to.toLowerCase() }));
      await notifier.monitor.publish('status.updated', anUpdate(id + 1, id + 1));
      const skipped = await notifier.saidOf(id + 1, 'email', 'skipped');
      expect(skipped.last_error).toMatch(/^suppressed_hard_bounce: /);
      expect(await notifier.mails(to)).toHaveLength(1);
    },
  );

  it('as a complaint ends further mails and changes no state', async () => {
    const to = await sendMail(721);
    await notifier.report({ provider: 'sendgrid', event: 'complaint', to });
    await notifier.monitor.publish('status.updated', anUpdate(722, 721));
    expect((await notifier.saidOf(722, 'email', 'skipped')).last_error).toMatch(/^suppressed_complaint: /);
    expect(notifier.said(721, 'email').at(-1)?.status).toBe('sent');
  });

  it('in the wrong order or twice never goes back from delivered', async () => {
    const to = await sendMail(731);
    const { body, headers } = await notifier.report({ provider: 'resend', event: 'delivered', to });
    await notifier.saidOf(731, 'email', 'delivered');
    await notifier.report({ provider: 'resend', event: 'soft_bounce', to });
    const replayed = await fetch(`${notifier.publicUrl}/v1/callbacks/email/resend`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    expect(replayed.status).toBe(204);
    expect(notifier.said(731, 'email').at(-1)?.status).toBe('delivered');
  });

  it.each(['sendgrid', 'resend'] as const)('is refused with 403 when it is forged: %s', async (provider) => {
    const id = provider === 'sendgrid' ? 741 : 742;
    const to = await sendMail(id);
    const { response_status } = await notifier.report({ provider, event: 'bounce', to, forged: true });
    expect(response_status).toBe(403);
    const row = await notifier.db
      .collection('notifications')
      .findOne({ status_update_id: id, channel: 'email' });
    expect(row).toMatchObject({ status: 'sent', last_error: null });
    expect(await notifier.db.collection('address_suppressions').countDocuments()).toBe(3);
  });

  const events = (...rows: object[]) => JSON.stringify(rows);
  const about = (to: string, id: string) => ({ email: to, 'smtp-id': '{message_id}', sg_event_id: id });
  const suppressedAs = async (id: number, userId: number) => {
    await notifier.monitor.publish('status.updated', anUpdate(id, userId));
    return (await notifier.saidOf(id, 'email', 'skipped')).last_error;
  };

  it('as dropped fails the mail, and suppresses the address where the provider did', async () => {
    const to = await sendMail(7601);
    const body = events({ ...about(to, 'drop-1'), event: 'dropped', reason: 'Bounced Address' });
    expect((await notifier.report({ provider: 'sendgrid', to, body })).response_status).toBe(204);
    expect((await notifier.saidOf(7601, 'email', 'failed')).last_error).toMatch(/^dropped: the address/);
    expect(await suppressedAs(7602, 7601)).toMatch(/^suppressed_hard_bounce: /);
  });

  it('about an address in Unicode counts for the same address in punycode', async () => {
    const user = aUser(7605, { notify_by_whatsapp: false, email: "o'brien&co@xn--80a1acny.xn--p1ai" });
    notifier.users.set(7605, user);
    const body = events({ email: "O'Brien&Co@почта.рф", sg_event_id: 'unicode', event: 'spamreport' });
    await notifier.report({ provider: 'sendgrid', to: user.email, body });
    expect(await suppressedAs(7605, 7605)).toMatch(/^suppressed_complaint: /);
  });

  it('as suppressed or failed ends the wait for Resend', async () => {
    const headers = [{ name: 'Message-ID', value: '{message_id}' }];
    for (const [id, type] of [
      [7611, 'email.suppressed'],
      [7612, 'email.failed'],
    ] as const) {
      const to = await sendMail(id);
      const body = JSON.stringify({ type, data: { to: [to], headers } });
      await notifier.report({ provider: 'resend', to, body });
      expect((await notifier.saidOf(id, 'email', 'failed')).last_error).toMatch(/^(suppressed|not_sent): /);
    }
    expect(await suppressedAs(7613, 7611)).toMatch(/^suppressed_hard_bounce: /);
    await notifier.monitor.publish('status.updated', anUpdate(7614, 7612));
    await notifier.saidOf(7614, 'email', 'sent');
  });

  it('as unsubscribed opts the person out, and lifts it after they subscribed again', async () => {
    const to = await sendMail(7621);
    const body = events({ ...about(to, 'unsub-1'), event: 'group_unsubscribe' });
    await notifier.report({ provider: 'sendgrid', to, body });
    expect(await suppressedAs(7622, 7621)).toMatch(/^suppressed_(unsubscribed|opt_out): /);
    const outbox = notifier.db.collection('outbox');
    const published = await outbox.find({ type: 'contact.opted_out' }).toArray();
    expect(published.map((row) => JSON.parse(String(row.body)).data.user_id)).toContain(7621);
    // Another person with the same address.
    notifier.users.set(7623, aUser(7623, { email: to, notify_by_whatsapp: false }));
    expect(await suppressedAs(7623, 7623)).toMatch(/^suppressed_opt_out: /);
    const again = events({ ...about(to, 'resub-1'), event: 'group_resubscribe' });
    await notifier.report({ provider: 'sendgrid', to, body: again });
    await notifier.monitor.publish('status.updated', anUpdate(7624, 7623));
    await notifier.saidOf(7624, 'email', 'sent');
  });

  it.each([
    ['an unpaired surrogate', '"reason":"\\ud800"'],
    ['a control character', '"reason":"a\u0007b"'],
    ['a key twice', '"event":"open"'],
  ])('with %s counts, as do the events beside it', async (what, odd) => {
    const id = 7631 + what.length;
    const to = await sendMail(id);
    const good = JSON.stringify({ ...about(to, `odd-${id}`), event: 'delivered' });
    const body = `[{${odd},"event":"open","sg_event_id":"odd"},${good}]`;
    expect((await notifier.report({ provider: 'sendgrid', to, body })).response_status).toBe(204);
    await notifier.saidOf(id, 'email', 'delivered');
  });

  /** Events of a provider that could not be read or handled, as Prometheus reads them. */
  async function badEventsOf(provider: 'sendgrid' | 'resend'): Promise<number> {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const line = new RegExp(`^notifier_bad_provider_events_total\\{provider="${provider}"\\} (\\d+)$`, 'm');
    return Number(line.exec(metrics)?.[1] ?? 0);
  }

  it('with a broken event costs only that event, which a metric counts', async () => {
    const to = await sendMail(7671);
    const before = await badEventsOf('sendgrid');
    const good = JSON.stringify({ ...about(to, 'beside-a-broken-one'), event: 'delivered' });
    // Of a body that is no JSON only the objects are read, and counted.
    const body = `[{"event":"bounce","reason":"\\x"},null,${good}]`;
    expect((await notifier.report({ provider: 'sendgrid', to, body })).response_status).toBe(204);
    await notifier.saidOf(7671, 'email', 'delivered');
    expect(await badEventsOf('sendgrid')).toBe(before + 1);
    const unsigned = await notifier.report({ provider: 'sendgrid', to, body, forged: true });
    expect(unsigned.response_status).toBe(403);
    expect((await notifier.report({ provider: 'sendgrid', to, body: 'no JSON' })).response_status).toBe(400);
    // What is not signed, or is no list of events, is refused and not counted.
    expect(await badEventsOf('sendgrid')).toBe(before + 1);
  });

  it('that is no object is counted among those that can be read', async () => {
    const to = await sendMail(7673);
    const before = await badEventsOf('sendgrid');
    const good = { ...about(to, 'beside-odd-ones'), event: 'delivered' };
    const body = JSON.stringify([null, 7, 'bounce', [], good, {}]);
    expect((await notifier.report({ provider: 'sendgrid', to, body })).response_status).toBe(204);
    await notifier.saidOf(7673, 'email', 'delivered');
    expect(await badEventsOf('sendgrid')).toBe(before + 5);
  });

  it.each([
    ['an event without a type', '{"data":{}}', 1],
    ['an event without data', '{"type":"email.bounced"}', 1],
    ['an event that says nothing of a delivery', '{"type":"email.opened","data":{}}', 0],
    ['an event of tomorrow', '{"type":"email.teleported","data":{}}', 0],
  ] as const)('by Resend with %s is taken and counted by provider: %s', async (_what, body, more) => {
    const to = await sendMail(7672);
    const [resend, sendgrid] = [await badEventsOf('resend'), await badEventsOf('sendgrid')];
    expect((await notifier.report({ provider: 'resend', to, body })).response_status).toBe(204);
    expect([await badEventsOf('resend'), await badEventsOf('sendgrid')]).toEqual([resend + more, sendgrid]);
  });

  it.each([
    [24 * 3_600 + 60, 403],
    [30 * 24 * 3_600, 403],
    [-3_600, 403],
    [24 * 3_600 - 600, 204],
    [-60, 204],
  ])('by SendGrid %d s ago is answered with %d', async (age_s, status) => {
    const to = await sendMail(7680 + Math.abs(age_s % 977));
    const { response_status } = await notifier.report({
      provider: 'sendgrid',
      event: 'delivered',
      to,
      age_s,
    });
    expect(response_status).toBe(status);
  });

  it.each(['sendgrid', 'resend'] as const)(
    'and is recorded suppresses nothing again that was lifted: %s',
    async (provider) => {
      const id = provider === 'sendgrid' ? 77001 : 77101;
      const to = await sendMail(id);
      const { body, headers } = await notifier.report({ provider, event: 'bounce', to });
      const suppressions = notifier.db.collection('address_suppressions');
      const before = await suppressions.countDocuments();
      const { deletedCount } = await suppressions.deleteMany({ reason: 'hard_bounce' });
      expect(deletedCount).toBeGreaterThan(0);
      const replayed = await fetch(`${notifier.publicUrl}/v1/callbacks/email/${provider}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      expect(replayed.status).toBe(204);
      expect(await suppressions.countDocuments()).toBe(before - deletedCount);
    },
  );

  it('cannot change the DKIM signature, which covers both List- fields', async () => {
    const to = await sendMail(751);
    const resolver = async (name: string) => {
      if (name !== 'test._domainkey.casewatch.example')
        throw Object.assign(new Error(), { code: 'ENOTFOUND' });
      const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
      return [[`v=DKIM1; k=rsa; p=${key}`]];
    };
    const raw = await notifier.rawMail(to);
    const { results } = await dkimVerify(raw, { resolver });
    expect(results).toMatchObject([{ status: { result: 'pass', aligned: 'casewatch.example' } }]);
    const signed = results[0]?.signingHeaders?.keys.toLowerCase().split(/:\s*/) ?? [];
    expect(signed).toEqual(
      expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post', 'auto-submitted']),
    );
    const changed = raw.toString('latin1').replace('List-Unsubscribe=One-Click', 'List-Unsubscribe=No');
    const forged = await dkimVerify(Buffer.from(changed, 'latin1'), { resolver });
    expect(forged.results).toMatchObject([{ status: { result: 'fail' } }]);
  });
});

describe('a WhatsApp message of a person', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  it('that says STOP ends messages to the number and opts the user out; START lifts the suppression', async () => {
    const phone = '+12025551761';
    notifier.users.set(761, aUser(761, { phone, notify_by_email: false }));
    await notifier.monitor.publish('status.updated', anUpdate(761, 761));
    await notifier.saidOf(761, 'whatsapp', 'delivered');
    expect((await notifier.reply(phone, 'Baja.')).response_status).toBe(204);
    const outbox = notifier.db.collection('outbox');
    expect(await outbox.countDocuments({ type: 'contact.opted_out' })).toBe(1);
    await notifier.monitor.publish('status.updated', anUpdate(762, 761));
    const skipped = await notifier.saidOf(762, 'whatsapp', 'skipped');
    expect(skipped.last_error).toMatch(/^suppressed_(unsubscribed|opt_out): /);
    // Another person with the same number.
    notifier.users.set(763, aUser(763, { phone, notify_by_email: false }));
    await notifier.monitor.publish('status.updated', anUpdate(763, 763));
    expect((await notifier.saidOf(763, 'whatsapp', 'skipped')).last_error).toMatch(/^suppressed_opt_out: /);
    await notifier.reply(phone, 'START');
    await notifier.monitor.publish('status.updated', anUpdate(764, 763));
    await notifier.saidOf(764, 'whatsapp', 'delivered');
  });

  it('that is recorded ends nothing again after START', async () => {
    const phone = '+12025551781';
    const params = { MessageSid: 'SM-recorded', From: `whatsapp:${phone}`, Body: 'CANCEL' };
    const url = `${notifier.publicUrl}/v1/callbacks/twilio`;
    const signature = twilio.getExpectedTwilioSignature(notifier.twilioToken, url, params);
    const send = async () => {
      const body = new URLSearchParams(params);
      const answer = await fetch(url, { method: 'POST', headers: { 'x-twilio-signature': signature }, body });
      return answer.status;
    };
    const suppressions = notifier.db.collection('address_suppressions');
    const before = await suppressions.countDocuments();
    expect(await send()).toBe(204);
    expect(await suppressions.countDocuments()).toBe(before + 1);
    await notifier.reply(phone, 'UNSTOP');
    expect(await send()).toBe(204);
    expect(await suppressions.countDocuments()).toBe(before);
  });

  it('that has a field twice, or a button with another payload, is read', async () => {
    const suppressions = notifier.db.collection('address_suppressions');
    const before = await suppressions.countDocuments();
    const url = `${notifier.publicUrl}/v1/callbacks/twilio`;
    for (const [sid, more] of [
      ['SM-twice', { Body: ['hello', 'quit'] }],
      ['SM-button', { ButtonPayload: 'button_2', ButtonText: 'Baja', Body: 'Baja' }],
    ] as const) {
      const params = { MessageSid: sid, From: `whatsapp:+1202555${sid.length}790`, ...more };
      const signature = twilio.getExpectedTwilioSignature(notifier.twilioToken, url, params);
      const body = new URLSearchParams(
        Object.entries(params).flatMap(([name, value]) =>
          [value].flat().map((one): [string, string] => [name, one]),
        ),
      );
      const answer = await fetch(url, { method: 'POST', headers: { 'x-twilio-signature': signature }, body });
      expect(answer.status).toBe(204);
    }
    expect(await suppressions.countDocuments()).toBe(before + 2);
  });

  it('that is not signed is refused', async () => {
    const answer = await fetch(`${notifier.publicUrl}/v1/callbacks/twilio`, {
      method: 'POST',
      headers: { 'x-twilio-signature': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
      body: new URLSearchParams({ MessageSid: 'SM1', From: 'whatsapp:+12025551765', Body: 'STOP' }),
    });
    expect(answer.status).toBe(403);
  });

  it('is not sent for 30 days to a number that is not on WhatsApp', async () => {
    const phone = '+12025550001';
    notifier.users.set(771, aUser(771, { phone, notify_by_email: false }));
    await notifier.monitor.publish('status.updated', anUpdate(771, 771));
    await notifier.saidOf(771, 'whatsapp', 'failed');
    await notifier.monitor.publish('status.updated', anUpdate(772, 771));
    const skipped = await notifier.saidOf(772, 'whatsapp', 'skipped');
    expect(skipped.last_error).toMatch(/^suppressed_hard_bounce: /);
    const row = await notifier.db.collection('address_suppressions').findOne({ reason: 'hard_bounce' });
    expect(row?.until - row?.at).toBe(30 * 24 * 3_600_000);
  });
});
