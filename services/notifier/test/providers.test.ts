import { generateKeyPairSync } from 'node:crypto';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

describe('what a mail provider reports', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier({
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
