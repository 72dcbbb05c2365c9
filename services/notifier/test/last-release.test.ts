import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { factsOf } from '../src/domain/notification-facts.ts';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

/** A row as the release before digests wrote it. */
function aRow(id: number, over: object = {}) {
  return {
    _id: `${id}:email`,
    status_update_id: id,
    case_id: id,
    user_id: id,
    partner_id: 1,
    channel: 'email',
    facts: factsOf(anUpdate(id, id), new Date()),
    observed_at: new Date(),
    status: 'pending',
    reason: null,
    attempts: 0,
    last_error: null,
    sent_at: null,
    revision: 0,
    next_attempt_at: new Date(),
    lease_until: null,
    fence: 0,
    ambiguous: false,
    attempt_started_at: null,
    provider_message_id: null,
    provider_rank: 0,
    created_at: new Date(),
    ...over,
  };
}

describe('a notification of the last release', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier({ NOTIFY_DIGEST_WINDOW_S: '120' });
  });
  afterAll(() => notifier.stop());

  it.each([
    ['that waits', 951, {}, 1],
    [
      'that waits for another attempt',
      952,
      { attempts: 1, last_error: 'smtp_451: later', revision: 1, fence: 1 },
      2,
    ],
    [
      'whose sender died',
      953,
      { status: 'sending', attempts: 1, fence: 1, in_flight: '953:email', lease_until: new Date(1) },
      2,
    ],
  ])('%s is sent', async (_, id, over, attempts) => {
    notifier.users.set(id, aUser(id));
    await notifier.db.collection<{ _id: string }>('notifications').insertOne(aRow(id, over));
    expect(await notifier.saidOf(id, 'email', 'sent')).toMatchObject({ attempts, last_error: null });
    const [mail] = await notifier.mails(`person-${id}@example.org`);
    expect(mail?.headers['message-id']).toBe(`<${id}.email@casewatch.example>`);
  });
});
