import { operations } from '@casewatch/contracts';
import { createMac } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unsubscribeToken } from '../src/domain/unsubscribe-token.ts';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

let notifier: TestNotifier;
beforeAll(async () => {
  notifier = await startTestNotifier();
});
afterAll(() => notifier.stop());

async function list(partnerId: number, query = '') {
  const { status, body } = await notifier.askAs(partnerId, `/v1/client/suppressions${query}`);
  expect(status).toBe(200);
  return operations.list_suppressions.success.body.parse(body).suppressions;
}

/** A mail to the user, which the provider reports as this. */
async function reported(id: number, event: string): Promise<void> {
  notifier.users.set(id, aUser(id, { notify_by_whatsapp: false }));
  await notifier.monitor.publish('status.updated', anUpdate(id, id));
  await notifier.saidOf(id, 'email', 'sent');
  await notifier.report({ provider: 'sendgrid', event, to: `person-${id}@example.org` });
}

describe('GET /v1/client/suppressions', () => {
  it('200: lists a user whose address bounced, until the address is verified again', async () => {
    await reported(701, 'bounce');
    await notifier.saidOf(701, 'email', 'failed');
    expect(await list(1)).toEqual([
      {
        user: { id: 701, name: 'Ana Lucía Ferreira' },
        channel: 'email',
        reason: 'hard_bounce',
        since: expect.stringMatching(/^\d{4}-/),
      },
    ]);
    expect(await list(2)).toEqual([]);
    expect(await list(2, '?user_id=701')).toEqual([]);
    const email_verified_at = new Date(Date.now() + 1_000).toISOString();
    notifier.users.set(701, aUser(701, { email_verified_at }));
    expect(await list(1)).toEqual([]);
  });

  it('200: says of one user why a channel is off: spam reported, or unsubscribed', async () => {
    await reported(702, 'complaint');
    expect(await list(1, '?user_id=702')).toMatchObject([{ channel: 'email', reason: 'complaint' }]);
    notifier.users.set(703, aUser(703));
    const mac = createMac(notifier.config.NOTIFIER_HMAC_KEY, 'unsubscribe links');
    const token = unsubscribeToken(mac, 703, 'whatsapp');
    await fetch(`${notifier.publicUrl}/v1/unsubscribe?token=${token}`, { method: 'POST' });
    expect(await list(1, '?user_id=703')).toMatchObject([{ channel: 'whatsapp', reason: 'unsubscribed' }]);
    expect(await list(1, '?user_id=799')).toEqual([]);
  });

  it('200: lists a user with the next message that the person does not get', async () => {
    await reported(704, 'complaint');
    await notifier.monitor.publish('status.updated', anUpdate(714, 704));
    await notifier.saidOf(714, 'email', 'skipped');
    const shown = await waitFor(async () => (await list(1)).find(({ user }) => user.id === 704), {
      what: 'the user',
    });
    expect(shown.reason).toBe('complaint');
  });
});
