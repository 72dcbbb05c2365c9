import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

describe('the WhatsApp message about an update', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  /** Publishes an update for a user with this number; the id is the user's, the case's and the update's. */
  async function update(id: number, phone: string, language: 'en' | 'es' = 'en') {
    notifier.users.set(id, aUser(id, { phone, preferred_language: language, notify_by_email: false }));
    await notifier.monitor.publish('status.updated', anUpdate(id, id));
  }

  /** The stand-in's callbacks have all come and been answered. */
  async function callbacksOf(phone: string, count: number) {
    return await waitFor(async () => {
      const callbacks = (await notifier.messages(phone))[0]?.callbacks;
      return callbacks?.length === count ? callbacks : null;
    });
  }

  it('is the template in the language of the user, with the title and the last four, and is delivered', async () => {
    await update(201, '+12025551201', 'es');
    expect(await notifier.saidOf(201, 'whatsapp', 'delivered')).toMatchObject({
      attempts: 1,
      last_error: null,
    });
    expect(notifier.said(201, 'whatsapp').at(-1)?.sent_at).not.toBeNull();
    const messages = await notifier.messages('+12025551201');
    expect(messages).toHaveLength(1);
    expect(messages[0]?.content_sid).toBe('HX00000000000000000000000000000002');
    expect(messages[0]?.content_variables).toEqual({
      1: 'Caso Fue Aprobado',
      2: '6789',
      3: 'https://santos.example/cases/FLOW0000201',
    });
    expect(messages[0]?.status_callback).toBe(`${notifier.publicUrl}/v1/callbacks/twilio?n=201:whatsapp&a=1`);
    expect((await callbacksOf('+12025551201', 2)).map((one) => one.response_status)).toEqual([204, 204]);
  });

  it('fails for good with a number that is not valid (0001)', async () => {
    await update(202, '+12025550001');
    const failed = await notifier.saidOf(202, 'whatsapp', 'failed');
    expect(failed).toMatchObject({
      attempts: 1,
      last_error: 'twilio_21211: the number is not valid',
      sent_at: null,
    });
  });

  it('stays delivered when older reports come after it (0005)', async () => {
    await update(203, '+12025550005');
    await notifier.saidOf(203, 'whatsapp', 'delivered');
    expect((await callbacksOf('+12025550005', 3)).map((one) => one.response_status)).toEqual([204, 204, 204]);
    const row = await notifier.db
      .collection('notifications')
      .findOne({ status_update_id: 203, channel: 'whatsapp' });
    expect(row).toMatchObject({ status: 'delivered', last_error: null });
  });

  it('fails with the reason of the report when it was accepted but never left (0006)', async () => {
    await update(204, '+12025550006');
    const failed = await notifier.saidOf(204, 'whatsapp', 'failed');
    expect(failed).toMatchObject({ attempts: 1, last_error: 'twilio_63018: a sending limit was reached' });
  });

  it('counts as delivered when it was read (0007)', async () => {
    await update(205, '+12025550007');
    await notifier.saidOf(205, 'whatsapp', 'delivered');
    await callbacksOf('+12025550007', 3);
    const states = notifier.said(205, 'whatsapp').map(({ status }) => status);
    expect(states.filter((status) => status === 'delivered')).toHaveLength(1);
    const row = await notifier.db
      .collection('notifications')
      .findOne({ status_update_id: 205, channel: 'whatsapp' });
    expect(row).toMatchObject({ status: 'delivered', provider_rank: 5 });
  });

  it('goes from sent to failed when it could not be delivered (0008)', async () => {
    await update(206, '+12025550008');
    const failed = await notifier.saidOf(206, 'whatsapp', 'failed');
    expect(failed).toMatchObject({
      attempts: 1,
      last_error: 'twilio_63049: the channel refused the template',
    });
    expect(failed.sent_at).not.toBeNull();
  });

  it('is sent once where Twilio took it and never answered (0003): its callback tells', async () => {
    await update(207, '+12025550003');
    await notifier.saidOf(207, 'whatsapp', 'delivered');
    expect(await notifier.messages('+12025550003')).toHaveLength(1);
  });

  it('is looked for at Twilio before it goes again, where neither answer nor callback came', async () => {
    notifier.users.set(208, aUser(208, { phone: '+12025551208', notify_by_email: false }));
    notifier.away.add('cases.active');
    await notifier.monitor.publish('status.updated', anUpdate(208, 208));
    const rows = notifier.db.collection('notifications');
    const mine = { status_update_id: 208, channel: 'whatsapp' } as const;
    await waitFor(() => rows.findOne(mine));
    // A sender that died right after Twilio took the message, without a callback.
    await rows.updateOne(mine, {
      $set: {
        status: 'sending',
        attempts: 1,
        attempt_started_at: new Date(),
        lease_until: new Date(Date.now() - 1_000),
      },
      $inc: { fence: 1 },
    });
    const { TWILIO_ACCOUNT_SID: sid, TWILIO_API_BASE_URL: base, TWILIO_FROM: from } = notifier.config;
    // Free text needs a message of the person.
    await notifier.reply('+12025551208', 'Hello');
    await fetch(`${base}/2010-04-01/Accounts/${sid}/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${sid}:${notifier.twilioToken}`).toString('base64')}` },
      body: new URLSearchParams({
        To: 'whatsapp:+12025551208',
        From: from ?? '',
        Body: 'Case Was Approved 6789',
      }),
    });
    notifier.away.clear();
    const found = await waitFor(() => notifier.said(208, 'whatsapp').find(({ sent_at }) => sent_at !== null));
    expect(found).toMatchObject({ attempts: 1, last_error: null });
    expect(await notifier.messages('+12025551208')).toHaveLength(1);
  });

  it('costs no attempt while Twilio is not processing it (0002)', async () => {
    await update(209, '+12025550002');
    const waiting = await notifier.saidOf(209, 'whatsapp', 'pending');
    expect(waiting).toMatchObject({ attempts: 0, last_error: 'twilio_20429: too many concurrent requests' });
  });
});

describe('a callback that Twilio did not sign', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  const form = { MessageSid: 'SM0123', MessageStatus: 'delivered', To: 'whatsapp:+12025551210' };

  async function call(signature: string) {
    return await fetch(`${notifier.publicUrl}/v1/callbacks/twilio?n=210:whatsapp&a=1`, {
      method: 'POST',
      headers: { 'x-twilio-signature': signature },
      body: new URLSearchParams(form),
    });
  }

  it.each(['', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='])(
    'is refused with 403 and changes nothing (%j)',
    async (signature) => {
      notifier.users.set(210, aUser(210, { notify_by_email: false }));
      notifier.away.add('identity.people');
      await notifier.monitor.publish('status.updated', anUpdate(210, 210));
      const rows = notifier.db.collection('notifications');
      const mine = { status_update_id: 210, channel: 'whatsapp' } as const;
      await waitFor(() => rows.findOne(mine));
      const answer = await call(signature);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ success: false, code: 'invalid_signature', status: 403 });
      expect(await rows.findOne(mine)).toMatchObject({ status: 'pending', provider_message_id: null });
    },
  );
});
