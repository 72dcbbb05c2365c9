import { waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestNotifier } from '../support/notifier.ts';
import { makePartner, makeUser, someAddress, type TestPartner } from '../support/people.ts';
import { startTestIdentity, type TestIdentity } from '../support/start-identity.ts';

let identity: TestIdentity;
let partner: TestPartner;

beforeEach(async () => {
  identity = await startTestIdentity();
  partner = await makePartner(identity, 'Law Firm');
});
afterEach(() => identity.stop());

const deliveryOf = async (userId: number) =>
  (await identity.db.collection('email_verifications').findOne({ user_id: userId }))?.delivery;

describe('mails', () => {
  it('are handed over after the notifier was away, the same mail under the same id', async () => {
    const user = await makeUser(identity, partner);
    const tried = await waitFor(async () => {
      const delivery = await deliveryOf(user.id);
      return delivery?.last_error ? delivery : undefined;
    });
    expect(tried).toMatchObject({ status: 'queued', last_error: 'service_unavailable' });
    const notifier = await startTestNotifier(identity.nats);
    const mail = await notifier.mailTo(user.email);
    await waitFor(async () => (await deliveryOf(user.id))?.status === 'sent');
    const row = await identity.db.collection('email_verifications').findOne({ user_id: user.id });
    expect(mail).toMatchObject({
      kind: 'verify_email',
      message_id: `verify-${String(row?._id)}`,
      language: 'en',
    });
    expect(notifier.sent).toHaveLength(1);
    await notifier.stop();
  });

  it('are handed over again where a process died between claim and settling', async () => {
    const email = someAddress();
    await makeUser(identity, partner, { email });
    // As such a process leaves it: claimed, and due again when the claim ends.
    await waitFor(async () => {
      const rows = identity.db.collection('email_verifications');
      const { modifiedCount } = await rows.updateOne(
        { email_lower: email, 'delivery.attempts': { $gte: 1 } },
        { $set: { 'delivery.status': 'queued', 'delivery.next_at': new Date() } },
      );
      return modifiedCount === 1;
    });
    const notifier = await startTestNotifier(identity.nats);
    expect((await notifier.mailTo(email)).message_id).toMatch(/^verify-/);
    await notifier.stop();
  });

  it('that expired while nobody took them are given up', async () => {
    const user = await makeUser(identity, partner);
    await identity.db
      .collection('email_verifications')
      .updateOne({ user_id: user.id }, { $set: { expires_at: new Date(Date.now() - 1) } });
    await waitFor(async () => (await deliveryOf(user.id))?.status === 'failed');
    expect(await deliveryOf(user.id)).toMatchObject({ last_error: 'expired' });
  });
});
