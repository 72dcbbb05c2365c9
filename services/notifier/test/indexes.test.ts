import { hasPassed } from '@casewatch/platform/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

describe('what the loops of the notifier ask for again and again', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(async () => {
    await notifier.stop();
  });

  const ofReader = { partner_id: 1, staff_id: 7 };
  it.each([
    ['firm_news', 'news that is due', hasPassed('due_at')],
    [
      'firm_news',
      'what reached nobody lately',
      { unreached_at: { $gt: new Date(0) }, has_no_members: false },
    ],
    ['firm_news', 'what reached nobody of a firm', { partner_id: 1, unreached_at: { $gt: new Date(0) } }],
    ['alerts', 'alerts that are due', hasPassed('due_at')],
    ['alerts', 'what is due of a reader', { ...ofReader, ...hasPassed('due_at') }],
    ['alerts', 'the alerts of a mail', { mail_id: 'a'.repeat(32) }],
    ['alerts', 'the alerts of some mails', { mail_id: { $in: ['a', 'b'] }, status: 'pending' }],
    ['notifications', 'a message by the id of its provider', { provider_message_id: 'SM1' }],
    [
      'notifications',
      'messages by the ids of their provider',
      { provider_message_id: { $in: ['SM1', 'SM2'] } },
    ],
    ['digests', 'a digest by the id of its provider', { provider_message_id: 'SM1' }],
    ['recipients', 'people by their address', { address: 'x' }],
  ])('%s: reads by an index: %s', async (collection, _what, filter) => {
    const plan = await notifier.db.collection(collection).find(filter).explain('queryPlanner');
    expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
  });

  // firm.md §8.
  it.each([
    ['alerts', 'created_at', 90],
    ['firm_news', 'planned_at', 90],
  ])('%s: are deleted by %s after %d days', async (collection, field, days) => {
    const indexes = await notifier.db.collection(collection).indexes();
    const timed = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    const expiry = { key: { [field]: 1 }, expireAfterSeconds: days * 86_400 };
    expect(timed).toEqual([expect.objectContaining(expiry)]);
  });
});
