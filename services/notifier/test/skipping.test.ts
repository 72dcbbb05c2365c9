import type { Channel, Person, StatusUpdated } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const hour = 60 * 60 * 1000;

describe('a channel that is not told', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  async function expectSkipped(id: number, channels: Channel[], reason: string) {
    for (const channel of channels) {
      const skipped = await notifier.saidOf(id, channel, 'skipped');
      expect(skipped).toMatchObject({ revision: 1, attempts: 0, sent_at: null });
      expect(skipped.last_error).toMatch(new RegExp(`^${reason}: `));
    }
  }

  const both: Channel[] = ['email', 'whatsapp'];
  const ofUser: [string, Partial<Person>, Channel[]][] = [
    ['user_inactive', { status: 'inactive' }, both],
    ['user_inactive', { status: 'suspended' }, both],
    ['channel_disabled', { notify_by_email: false }, ['email']],
    ['channel_disabled', { notify_by_whatsapp: false }, ['whatsapp']],
    ['no_address', { phone: null }, ['whatsapp']],
    ['invalid_phone', { phone: '+1999' }, ['whatsapp']],
    ['no_whatsapp_consent', { whatsapp_consent_at: null }, ['whatsapp']],
    ['email_unverified', { email_verified_at: null }, both],
    ['template_unavailable', { preferred_language: 'pt' }, ['whatsapp']],
  ];
  it.each(ofUser.map((row, i) => [101 + i, ...row] as const))(
    'update %d is skipped with %s for a user %j, and nothing goes out there',
    async (id, reason, user, channels) => {
      notifier.users.set(id, aUser(id, user));
      await notifier.monitor.publish('status.updated', anUpdate(id, id));
      await expectSkipped(id, [...channels], reason);
      if (channels.includes('email')) expect(await notifier.mails(`person-${id}@example.org`)).toEqual([]);
      else expect(await notifier.saidOf(id, 'email', 'sent')).toMatchObject({ attempts: 1 });
    },
  );

  const ofEvent: [string, Partial<StatusUpdated>, Partial<StatusUpdated['status_update']>][] = [
    ['baseline', { skip_reason: 'baseline' }, { kind: 'baseline' }],
    ['flap', { skip_reason: 'flap' }, { kind: 'flap' }],
    ['no_content_change', { skip_reason: 'no_content_change' }, {}],
    ['no_content_change', {}, { kind: 'translation' }],
    ['stale', {}, { timestamp: new Date(Date.now() - 73 * hour).toISOString() }],
  ];
  it.each(ofEvent.map((row, i) => [121 + i, ...row] as const))(
    'update %d is skipped with %s on both channels because of the event itself',
    async (id, reason, event, update) => {
      notifier.users.set(id, aUser(id));
      await notifier.monitor.publish('status.updated', { ...anUpdate(id, id, update), ...event });
      await expectSkipped(id, both, reason);
    },
  );

  it('is that of a user who does not exist any more', async () => {
    await notifier.monitor.publish('status.updated', anUpdate(131, 131));
    await expectSkipped(131, both, 'user_deleted');
  });

  it('is that of a case that was switched off', async () => {
    notifier.users.set(132, aUser(132));
    notifier.inactiveCases.add(132);
    await notifier.monitor.publish('status.updated', anUpdate(132, 132));
    await expectSkipped(132, both, 'case_inactive');
  });
});

describe('WhatsApp that is not set up', () => {
  it('is skipped with channel_not_configured, while mail goes out', async () => {
    const notifier = await startTestNotifier({
      TWILIO_ACCOUNT_SID: '',
      TWILIO_AUTH_TOKEN: '',
      TWILIO_FROM: '',
    });
    try {
      notifier.users.set(141, aUser(141));
      await notifier.monitor.publish('status.updated', anUpdate(141, 141));
      expect((await notifier.saidOf(141, 'whatsapp', 'skipped')).last_error).toMatch(
        /^channel_not_configured: /,
      );
      expect(await notifier.saidOf(141, 'email', 'sent')).toMatchObject({ attempts: 1 });
    } finally {
      await notifier.stop();
    }
  });
});
