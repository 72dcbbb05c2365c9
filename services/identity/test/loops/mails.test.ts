import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { startTestNotifier } from '../support/notifier.ts';
import { makePartner, makeUser, someAddress } from '../support/people.ts';
import { startTestIdentity, type TestIdentity } from '../support/start-identity.ts';

/** One for each test: there is no notifier on its bus until the test starts one. */
async function startedFor(cleanUps: AsyncDisposableStack) {
  const identity = await startTestIdentity();
  cleanUps.defer(identity.stop);
  return { identity, partner: await makePartner(identity, 'Law Firm') };
}

const deliveryOf = async (identity: TestIdentity, userId: number) =>
  (await identity.db.collection('email_verifications').findOne({ user_id: userId }))?.delivery;

describe('mails', () => {
  it('are handed over after the notifier was away, the same mail under the same id', async () => {
    await using cleanUps = new AsyncDisposableStack();
    const { identity, partner } = await startedFor(cleanUps);
    const user = await makeUser(identity, partner);
    const tried = await waitFor(async () => {
      const delivery = await deliveryOf(identity, user.id);
      return delivery?.last_error ? delivery : undefined;
    });
    expect(tried).toMatchObject({ status: 'queued', last_error: 'service_unavailable' });
    const notifier = await startTestNotifier(identity.nats);
    cleanUps.defer(notifier.stop);
    const mail = await notifier.mailTo(user.email);
    await waitFor(async () => (await deliveryOf(identity, user.id))?.status === 'sent');
    const row = await identity.db.collection('email_verifications').findOne({ user_id: user.id });
    expect(mail).toMatchObject({
      kind: 'verify_email',
      message_id: `verify-${String(row?._id)}`,
      language: 'en',
    });
    expect(notifier.sent).toHaveLength(1);
  });

  it('are handed over again where a process died between claim and settling', async () => {
    await using cleanUps = new AsyncDisposableStack();
    const { identity, partner } = await startedFor(cleanUps);
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
    cleanUps.defer(notifier.stop);
    expect((await notifier.mailTo(email)).message_id).toMatch(/^verify-/);
  });

  it('that expired while nobody took them are given up', async () => {
    await using cleanUps = new AsyncDisposableStack();
    const { identity, partner } = await startedFor(cleanUps);
    const user = await makeUser(identity, partner);
    await identity.db
      .collection('email_verifications')
      .updateOne({ user_id: user.id }, { $set: { expires_at: new Date(Date.now() - 1_000) } });
    await waitFor(async () => (await deliveryOf(identity, user.id))?.status === 'failed');
    expect(await deliveryOf(identity, user.id)).toMatchObject({ last_error: 'expired' });
  });
});
