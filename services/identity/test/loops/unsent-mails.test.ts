import { freePort, waitFor } from '@casewatch/testing';
import { expect, it } from '@jest/globals';
import { startTestNotifier } from '../support/notifier.ts';
import { someAddress } from '../support/people.ts';
import { someNetworkAddress } from '../support/sign-in.ts';
import { startTestIdentity } from '../support/start-identity.ts';

it('the oldest mail that the notifier has not taken over is shown from its creation, whatever was tried', async () => {
  const port = await freePort();
  const identity = await startTestIdentity({ METRICS_PORT: String(port) });
  try {
    const age = async (queue: string) => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(new RegExp(`^identity_oldest_unsent\\{queue="${queue}"\\} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    // Nobody answers `notifier.send`.
    const email = someAddress();
    const address = someNetworkAddress();
    await identity.call('POST', '/v1/users', { body: { email, name: 'Direct' }, address });
    await waitFor(() => identity.db.collection('users').findOne({ email }), { what: 'a user' });
    await identity.call('POST', '/v1/auth/login-code', { body: { email }, address });
    for (const name of ['login_challenges', 'email_verifications']) {
      const rows = identity.db.collection(name);
      const tried = { 'delivery.attempts': { $gt: 1 }, 'delivery.status': 'queued' };
      await waitFor(() => rows.findOne(tried), { timeoutMs: 60_000, what: `a second attempt of ${name}` });
      await rows.updateOne(tried, [{ $set: { created_at: { $subtract: ['$created_at', 100_000] } } }]);
    }
    await waitFor(async () => (await age('login_codes')) >= 100, { timeoutMs: 30_000, what: 'its age' });
    expect(await age('verification_mails')).toBeGreaterThanOrEqual(100);
    expect(await age('undo_mails')).toBe(0);
    const notifier = await startTestNotifier(identity.nats);
    await waitFor(async () => (await age('login_codes')) === 0, {
      timeoutMs: 60_000,
      what: 'an empty queue',
    });
    await notifier.stop();
  } finally {
    await identity.stop();
  }
});
