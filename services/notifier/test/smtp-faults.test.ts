import { createKeyedMutex } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

/** Each answer of the mail server over SMTP, with sign-in and STARTTLS. */
describe('a mail server that', () => {
  let worlds: TestNotifier[];
  const start = () =>
    startTestNotifier(
      { NOTIFY_SEND_TIMEOUT_MS: '2000' },
      { sandbox: { smtpStartTls: true }, smtpQuery: 'requireTLS=true&tls.rejectUnauthorized=false' },
    );
  beforeAll(async () => {
    worlds = await Promise.all([start(), start()]);
  });
  afterAll(() => Promise.all(worlds.map((world) => world.stop())));

  const inTurn = createKeyedMutex<TestNotifier>();
  /** A mail server has one fault at a time: the tests of even ids have one, those of odd ids another. */
  async function withServer(id: number, test: (notifier: TestNotifier) => Promise<void>): Promise<void> {
    const world = worlds[id % worlds.length];
    if (!world) throw new Error('no mail server');
    await inTurn(world, () => test(world));
  }

  async function publish(notifier: TestNotifier, id: number): Promise<string> {
    notifier.users.set(id, aUser(id, { notify_by_whatsapp: false }));
    await notifier.monitor.publish('status.updated', anUpdate(id, id));
    return `person-${id}@example.org`;
  }

  const ofRecipient = [
    [
      801,
      { mode: 'reject', at: 'rcpt', code: 451, reply: '4.7.1 later' },
      1,
      'smtp_451: 4.7.1 refused by a policy',
    ],
    [
      802,
      { mode: 'reject', at: 'rcpt', code: 552, reply: '5.2.2 full' },
      1,
      'smtp_552: 5.2.2 the mailbox is full',
    ],
    [
      803,
      { mode: 'reject', at: 'data', code: 452, reply: '4.3.1 no space' },
      1,
      'smtp_452: 4.3.1 the mail system of the recipient cannot take the mail',
    ],
    [
      804,
      { mode: 'reject', at: 'after_data', code: 503, reply: 'out of order' },
      1,
      'smtp_503: the mail was refused',
    ],
    [805, { mode: 'hang', at: 'rcpt' }, 1, 'smtp_eabort: the mail server did not answer in time'],
    [806, { mode: 'hang', at: 'after_data' }, 1, 'smtp_eabort: the mail server did not answer in time'],
    [807, { mode: 'drop_after_data' }, 1, 'smtp_econnection: the connection to the mail server broke'],
  ] as const;
  it.each(ofRecipient)('mail %d waits after %j and is sent later', (id, fault, attempts, error) =>
    withServer(id, async (notifier) => {
      await notifier.mailFault({ ...fault, to: `person-${id}@example.org` });
      const to = await publish(notifier, id);
      expect(await notifier.saidOf(id, 'email', 'pending')).toMatchObject({ attempts, last_error: error });
      await notifier.mailFault({ mode: 'none' });
      await notifier.saidOf(id, 'email', 'sent');
      const mails = await notifier.mails(to);
      expect(mails.length).toBeGreaterThan(0);
      // What may have arrived is repeated as the same mail.
      expect(new Set(mails.map(({ headers }) => headers['message-id'])).size).toBe(1);
    }),
  );

  const forGood = [
    [
      811,
      { mode: 'reject', at: 'rcpt', code: 550, reply: '5.1.1 unknown' },
      'smtp_550: 5.1.1 the mailbox does not exist',
      1,
    ],
    [
      812,
      { mode: 'reject', at: 'rcpt', code: 550, reply: '5.7.1 denied' },
      'smtp_550: 5.7.1 refused by a policy',
      0,
    ],
    [
      813,
      { mode: 'reject', at: 'data', code: 554, reply: '5.6.0 content' },
      'smtp_554: 5.6.0 the content is not accepted',
      0,
    ],
    [
      814,
      { mode: 'reject', at: 'data', code: 554, reply: '5.7.1 spam' },
      'smtp_554: 5.7.1 refused by a policy',
      0,
    ],
  ] as const;
  it.each(forGood)('mail %d fails after %j', (id, fault, error, suppressed) =>
    withServer(id, async (notifier) => {
      const addresses = notifier.db.collection('address_suppressions');
      const before = await addresses.countDocuments();
      await notifier.mailFault({ ...fault, to: `person-${id}@example.org` });
      const to = await publish(notifier, id);
      expect(await notifier.saidOf(id, 'email', 'failed')).toMatchObject({ attempts: 1, last_error: error });
      await notifier.mailFault({ mode: 'none' });
      expect(await notifier.mails(to)).toEqual([]);
      expect((await addresses.countDocuments()) - before).toBe(suppressed);
    }),
  );

  const ofAll = [
    [821, { mode: 'reject', at: 'greeting', code: 554, reply: 'go away' }, 0, /^smtp_554: /],
    [822, { mode: 'reject', at: 'greeting', code: 421, reply: 'busy' }, 1, /^smtp_421: /],
    [823, { mode: 'reject', at: 'auth', code: 535, reply: '5.7.8 wrong password' }, 0, /^smtp_535: 5.7.8/],
    [824, { mode: 'reject', at: 'auth', code: 454, reply: 'later' }, 1, /^smtp_454: /],
    [825, { mode: 'reject', at: 'mail_from', code: 550, reply: '5.7.1 sender' }, 0, /^smtp_550: 5.7.1/],
    [826, { mode: 'hang', at: 'greeting' }, 1, /^smtp_etimedout: the mail server cannot be reached/],
    [828, { mode: 'reject', at: 'mail_from', code: 530, reply: 'sign in' }, 0, /^smtp_530: /],
    [827, { mode: 'drop', at: 'connect' }, 1, /^smtp_\w+: the connection/],
  ] as const;
  it.each(ofAll)(
    'nothing goes out during %d (%j), and all is sent when that is over',
    (id, fault, attempts, error) =>
      withServer(id, async (notifier) => {
        // Idle connections are past the place of the fault.
        await notifier.stopService();
        await notifier.startService();
        await notifier.mailFault(fault);
        const to = await publish(notifier, id);
        const waiting = await notifier.saidOf(id, 'email', 'pending');
        expect(waiting).toMatchObject({ attempts, last_error: expect.stringMatching(error) });
        await notifier.mailFault({ mode: 'none' });
        await notifier.saidOf(id, 'email', 'sent');
        expect(await notifier.mails(to)).toHaveLength(1);
      }),
  );
});

describe('on WhatsApp', () => {
  it('a broken template pauses its own language only, costs no attempt, and its messages go when it is mended', async () => {
    const notifier = await startTestNotifier();
    try {
      const phone = '+12025551831';
      await notifier.twilioFault({ mode: 'status', status: 400, code: 63028, to: phone });
      const spanish = { preferred_language: 'es', notify_by_email: false } as const;
      notifier.users.set(831, aUser(831, { ...spanish, phone }));
      await notifier.monitor.publish('status.updated', anUpdate(831, 831));
      expect(await notifier.saidOf(831, 'whatsapp', 'pending')).toMatchObject({ attempts: 0 });
      notifier.users.set(832, aUser(832, { notify_by_email: false }));
      await notifier.monitor.publish('status.updated', anUpdate(832, 832));
      await notifier.saidOf(832, 'whatsapp', 'delivered');
      await notifier.twilioFault({ mode: 'none' });
      expect(await notifier.saidOf(831, 'whatsapp', 'delivered')).toMatchObject({ attempts: 1 });
    } finally {
      await notifier.stop();
    }
  });

  it('a message whose callbacks do not come is looked up at Twilio', async () => {
    // The look-ups after 1 h and 24 h come after 1 s and 24 s.
    const notifier = await startTestNotifier({ NOTIFY_RETRY_SCALE: '0.0003' });
    try {
      await notifier.twilioFault({ mode: 'withhold' });
      notifier.users.set(841, aUser(841, { notify_by_email: false }));
      await notifier.monitor.publish('status.updated', anUpdate(841, 841));
      await notifier.saidOf(841, 'whatsapp', 'delivered');
      await waitFor(() =>
        notifier.db
          .collection('notifications')
          .findOne({ status_update_id: 841, channel: 'whatsapp', polls: 1 }),
      );
      expect((await notifier.messages('+12025551841'))[0]?.callbacks).toEqual([]);
    } finally {
      await notifier.stop();
    }
  });
});
