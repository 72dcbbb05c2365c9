import { describe, expect, it } from '@jest/globals';
import { readResend, readSendgrid, readSes } from '../../src/domain/mail-report.ts';
import { readSignedEvents } from '../../src/domain/signed-events.ts';

const about = { email: 'a@b.example', 'smtp-id': '<7.email@casewatch.example>', sg_event_id: 'e1' };

/** The state, the reason of a suppression, and the beginning of the error. */
const sendgrid: [object, string | null | undefined, string | null, RegExp?][] = [
  [{ event: 'delivered' }, 'delivered', null],
  [{ event: 'spamreport' }, null, 'complaint'],
  [{ event: 'unsubscribe' }, null, 'opt_out'],
  [{ event: 'group_unsubscribe', asm_group_id: 1 }, null, 'opt_out'],
  [{ event: 'group_resubscribe', asm_group_id: 1 }, null, null],
  [
    { event: 'dropped', reason: 'Bounced Address' },
    'failed',
    'hard_bounce',
    /^dropped: the address has bounced/,
  ],
  [{ event: 'dropped', reason: 'Invalid' }, 'failed', 'hard_bounce', /^dropped: the address is not valid/],
  [{ event: 'dropped', reason: 'Spam Reporting Address' }, 'failed', 'complaint', /^dropped: .*spam/],
  [{ event: 'dropped', reason: 'Unsubscribed Address' }, 'failed', 'opt_out', /^dropped: .*unsubscribed/],
  [{ event: 'dropped', reason: 'Spam Content' }, 'failed', null, /^dropped: /],
  [{ event: 'dropped', reason: 'Invalid SMTPAPI header' }, 'failed', null, /^dropped: /],
  [{ event: 'dropped' }, 'failed', null, /^dropped: /],
  [
    { event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 5.1.1 gone' },
    'failed',
    'hard_bounce',
    /^bounce_5\.1\.1: 5\.1\.1 the mailbox does not exist$/,
  ],
  [
    { event: 'bounce', type: 'bounce', status: '5.0.0', reason: '550 5.0.0 unknown recipient' },
    'failed',
    'hard_bounce',
    /^bounce_5\.0\.0: /,
  ],
  [
    { event: 'bounce', type: 'bounce', status: '5.0.0', reason: '550 5.1.1 gone' },
    'failed',
    'hard_bounce',
    /^bounce_5\.1\.1: /,
  ],
  [
    { event: 'bounce', type: 'bounce', reason: '550 mailbox unavailable' },
    'failed',
    'hard_bounce',
    /^bounce_/,
  ],
  [
    { event: 'bounce', type: 'bounce', status: '5.2.1', reason: 'disabled' },
    'failed',
    'hard_bounce',
    /^bounce_5\.2\.1: /,
  ],
  [
    { event: 'bounce', type: 'bounce', status: '5.4.4', reason: 'no host' },
    'failed',
    'hard_bounce',
    /^bounce_5\.4\.4: /,
  ],
  [{ event: 'bounce', type: 'bounce', reason: 'no reason' }, 'failed', 'hard_bounce', /^bounce_unknown: /],
  [{ event: 'bounce', bounce_classification: 'Invalid Address', status: '5.0.0' }, 'failed', 'hard_bounce'],
  [
    { event: 'bounce', type: 'bounce', status: '5.1.8', reason: '550 5.1.8 bad sender' },
    'failed',
    null,
    /^bounce_5\.1\.8: /,
  ],
  [
    { event: 'bounce', type: 'bounce', status: '5.2.2', reason: 'mailbox full' },
    'failed',
    null,
    /^bounce_5\.2\.2: /,
  ],
  [
    { event: 'bounce', type: 'bounce', status: '5.7.1', reason: '550 5.7.1 policy' },
    'failed',
    null,
    /^bounce_5\.7\.1: /,
  ],
  [
    { event: 'bounce', type: 'bounce', status: '4.4.2', reason: 'gave up' },
    'failed',
    null,
    /^bounce_4\.4\.2: /,
  ],
  [
    { event: 'bounce', type: 'bounce', bounce_classification: 'Reputation', reason: '550 no' },
    'failed',
    null,
  ],
  [{ event: 'bounce', type: 'blocked', status: '5.1.1', reason: '550 5.1.1 gone' }, 'failed', null],
  [
    { event: 'bounce', type: 'blocked', reason: 'unable to get mx info' },
    'failed',
    null,
    /^bounce_unknown: /,
  ],
  [{ event: 'deferred', response: '451 later' }, undefined, null],
  [{ event: 'processed' }, undefined, null],
  [{ event: 'open' }, undefined, null],
  [{ event: 'something new' }, undefined, null],
];

const resend: [object, string | null | undefined, string | null, RegExp?][] = [
  [{ type: 'email.delivered' }, 'delivered', null],
  [{ type: 'email.complained' }, null, 'complaint'],
  [
    { type: 'email.suppressed', suppressed: { message: 'recent history of hard bounces' } },
    'failed',
    'hard_bounce',
    /^suppressed: /,
  ],
  [
    { type: 'email.suppressed', suppressed: { message: 'a complaint' } },
    'failed',
    'complaint',
    /^suppressed: /,
  ],
  [{ type: 'email.suppressed' }, 'failed', 'hard_bounce', /^suppressed: /],
  [{ type: 'email.failed', failed: { reason: 'reached_daily_quota' } }, 'failed', null, /^not_sent: /],
  [{ type: 'email.failed' }, 'failed', null, /^not_sent: /],
  [
    {
      type: 'email.bounced',
      bounce: { type: 'Permanent', subType: 'General', message: 'reputation of the sender' },
    },
    'failed',
    'hard_bounce',
    /^bounce_general: /,
  ],
  [
    {
      type: 'email.bounced',
      bounce: { type: 'Permanent', subType: 'General', diagnosticCode: ['smtp; 550 5.1.1 gone'] },
    },
    'failed',
    'hard_bounce',
    /^bounce_general: 5\.1\.1 /,
  ],
  [
    {
      type: 'email.bounced',
      bounce: { type: 'Permanent', subType: 'General', diagnosticCode: ['smtp; 550 5.7.1 policy'] },
    },
    'failed',
    null,
    /^bounce_general: 5\.7\.1 /,
  ],
  [
    { type: 'email.bounced', bounce: { type: 'Transient', subType: 'MailboxFull', message: '550 5.1.1' } },
    'failed',
    null,
    /^bounce_mailboxfull: /,
  ],
  [
    { type: 'email.bounced', bounce: { type: 'Undetermined', message: 'who knows' } },
    'failed',
    null,
    /^bounce_unknown: /,
  ],
  [
    { type: 'email.bounced', bounce: { type: 'Permanent', subType: 'Ana Moved Out', message: '550 5.1.1' } },
    'failed',
    'hard_bounce',
    /^bounce_unknown: 5\.1\.1 the mailbox does not exist$/,
  ],
  [
    { type: 'email.bounced', bounce: { type: 'Permanent', subType: 'OnAccountSuppressionList' } },
    'failed',
    'hard_bounce',
    /^bounce_onaccountsuppressionlist: /,
  ],
  [{ type: 'email.delivery_delayed' }, undefined, null],
  [{ type: 'email.sent' }, undefined, null],
];

describe('an event of SendGrid', () => {
  it.each(sendgrid)('%j', (event, ...[status, suppresses, error]) => {
    const { reports, unreadable } = readSendgrid([{ ...about, ...event }]);
    expect(unreadable).toBe(0);
    if (status === undefined) expect(reports).toEqual([]);
    else
      expect(reports).toEqual([
        expect.objectContaining({ id: 'e1', address: 'a@b.example', status, suppresses }),
      ]);
    if (error) expect(reports[0]?.failure?.error).toMatch(error);
  });

  it('without an id has that of its content', () => {
    const read = (more: object) =>
      readSendgrid([{ event: 'delivered', email: 'a@b.example', ...more }]).reports[0]?.id;
    expect(read({})).toBe(read({}));
    expect(read({})).not.toBe(read({ timestamp: 2 }));
  });
});

describe('an event of Resend', () => {
  it.each(resend)('%j', (event, ...[status, suppresses, error]) => {
    const { type, ...data } = event as { type: string };
    const { reports, unreadable } = readResend([{ type, data: { to: ['a@b.example'], ...data } }], 'msg_1');
    expect(unreadable).toBe(0);
    if (status === undefined) expect(reports).toEqual([]);
    else
      expect(reports).toEqual([
        expect.objectContaining({ id: 'msg_1', address: 'a@b.example', status, suppresses }),
      ]);
    if (error) expect(reports[0]?.failure?.error).toMatch(error);
  });
});

describe('the events of a signed body', () => {
  const good = '{"event":"delivered"}';
  const isGood = { event: 'delivered' };
  it.each([
    [
      'an unpaired surrogate',
      `[{"event":"delivered","reason":"\\ud800"},${good}]`,
      [{ event: 'delivered', reason: '\ud800' }, isGood],
    ],
    [
      'a control character',
      `[{"event":"delivered","reason":"a\u0001\nb"},${good}]`,
      [{ event: 'delivered', reason: 'a  b' }, isGood],
    ],
    ['a key twice', `[{"event":"open","event":"delivered"},${good}]`, [isGood, isGood]],
    ['a wrong escape', `[{"event":"bounce","reason":"\\x"},${good}]`, [undefined, isGood]],
    ['a wrong escape at the end', `[${good},{"event":"bounce","reason":"\\x{\\"}"}]`, [isGood, undefined]],
    ['an object without end', `[${good},{"event":"bo`, [isGood, undefined]],
    ['no object', `[null,7,"x",[],${good}]`, [null, 7, 'x', [], isGood]],
    ['one object', good, [isGood]],
    ['a byte order mark', `\ufeff[${good}]`, [isGood]],
    ['nothing', '[]', []],
  ])('are read in spite of %s', (_what, text, events) => {
    expect(readSignedEvents(Buffer.from(text))).toEqual(events);
  });

  it('are read in spite of bytes that are no UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('[{"event":"bounce","reason":"'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from(`"},${good}]`),
    ]);
    expect(readSignedEvents(bytes)).toEqual([{ event: 'bounce', reason: '\ufffd\ufffd' }, isGood]);
  });

  it.each(['', 'x', '7', 'null', '"x"', '{"event":'])('are none in %j', (text) => {
    expect(readSignedEvents(Buffer.from(text))).toBeNull();
  });

  it('that are no events are counted, and cost no other', () => {
    const { reports, unreadable } = readSendgrid([
      null,
      7,
      [],
      {},
      { event: 5 },
      undefined,
      { ...about, ...isGood },
    ]);
    expect([reports.length, unreadable]).toEqual([1, 6]);
    expect(readResend([{ type: 'email.delivered' }, { data: {} }, []], 'x')).toEqual({
      reports: [],
      unreadable: 3,
    });
  });
});

const mail = {
  destination: ['a@b.example'],
  headers: [
    { name: 'From', value: 'x@casewatch.example' },
    { name: 'Message-ID', value: '<7.email@casewatch.example>' },
  ],
};
const bouncedAs = (bounceType: string, bounceSubType: string, recipient: object) => ({
  notificationType: 'Bounce',
  bounce: { bounceType, bounceSubType, bouncedRecipients: [{ emailAddress: 'a@b.example', ...recipient }] },
  mail,
});
const complaint = (kind?: string) => ({
  notificationType: 'Complaint',
  complaint: { complainedRecipients: [{ emailAddress: 'a@b.example' }], complaintFeedbackType: kind },
  mail,
});

/** The forms of Amazon SES: its developer guide, "Amazon SNS notification contents" and "Contents of event data". */
const ses: [object, string | null, string | null, RegExp?][] = [
  [{ notificationType: 'Delivery', delivery: { recipients: ['a@b.example'] }, mail }, 'delivered', null],
  [{ eventType: 'Delivery', delivery: { recipients: ['a@b.example'] }, mail }, 'delivered', null],
  [complaint('abuse'), null, 'complaint'],
  [complaint(), null, 'complaint'],
  [
    bouncedAs('Permanent', 'General', { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }),
    'failed',
    'hard_bounce',
    /^bounce_general: 5\.1\.1 the mailbox does not exist$/,
  ],
  [
    bouncedAs('Permanent', 'NoEmail', { status: '5.1.1' }),
    'failed',
    'hard_bounce',
    /^bounce_noemail: 5\.1\.1/,
  ],
  [bouncedAs('Permanent', 'OnAccountSuppressionList', {}), 'failed', 'hard_bounce', /^bounce_onaccount/],
  [
    bouncedAs('Permanent', 'General', {
      status: '5.7.1',
      diagnosticCode: 'smtp; 550 5.7.1 blocked by policy',
    }),
    'failed',
    null,
    /^bounce_general: 5\.7\.1/,
  ],
  [
    bouncedAs('Transient', 'MailboxFull', {
      status: '5.2.2',
      diagnosticCode: 'smtp; 552 5.2.2 mailbox full',
    }),
    'failed',
    null,
    /^bounce_mailboxfull: 5\.2\.2 the mailbox is full$/,
  ],
  [bouncedAs('Undetermined', 'Undetermined', {}), 'failed', null, /^bounce_undetermined: /],
  [{ eventType: 'Reject', reject: { reason: 'Bad content' }, mail }, 'failed', null, /^not_sent: /],
];

describe('events of Amazon SES', () => {
  it.each(ses.map(([event, status, suppresses, error]) => ({ event, status, suppresses, error })))(
    '$event',
    ({ event, status, suppresses, error }) => {
      const { reports, unreadable } = readSes(event, 'of-sns');
      expect(unreadable).toBe(0);
      expect(reports).toMatchObject([
        {
          id: 'of-sns:0',
          address: 'a@b.example',
          messageId: '<7.email@casewatch.example>',
          status,
          suppresses,
        },
      ]);
      if (error) expect(reports[0]?.failure?.error).toMatch(error);
      else expect(reports[0]?.failure).toBeNull();
    },
  );

  it.each([
    complaint('not-spam'),
    { eventType: 'Send', mail },
    { eventType: 'DeliveryDelay', mail },
    { notificationType: 'AmazonSnsSubscriptionSucceeded' },
  ])('say nothing of a mail: %j', (event) => {
    expect(readSes(event, 'x')).toEqual({ reports: [], unreadable: 0 });
  });

  it('name each recipient, under ids of their own', () => {
    const bouncedRecipients = [{ emailAddress: 'a@b.example' }, { emailAddress: 'c@d.example' }];
    const { reports } = readSes({ notificationType: 'Bounce', bounce: { bouncedRecipients } }, 'x');
    expect(reports.map(({ id, address, messageId }) => [id, address, messageId])).toEqual([
      ['x:0', 'a@b.example', null],
      ['x:1', 'c@d.example', null],
    ]);
  });

  it.each([undefined, 'text', [], {}, { notificationType: 7 }])('are not %j', (item) => {
    expect(readSes(item, 'x')).toEqual({ reports: [], unreadable: 1 });
  });
});
