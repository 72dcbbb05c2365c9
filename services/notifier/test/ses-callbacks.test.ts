import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { certificateFile, createAuthority, openAmazon, snsMessage, topic } from './support/amazon.ts';
import { anUpdate, aUser } from './support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

const authority = createAuthority();
const signer = authority.issue('sns.amazonaws.com');
const impostor = authority.issue('sns.amazonaws.com');
const trusted = getCACertificates('default');

describe('what Amazon SES reports by SNS', () => {
  let amazon: Awaited<ReturnType<typeof openAmazon>>;
  let notifier: TestNotifier;
  beforeAll(async () => {
    setDefaultCACertificates([...trusted, authority.ca]);
    amazon = await openAmazon(authority.issue('localhost'), { [certificateFile]: signer.cert });
    notifier = await startTestNotifier({
      MAIL_CALLBACK_SES_TOPIC: topic,
      MAIL_CALLBACK_SES_ADDRESS: `https://localhost:${amazon.port}`,
    });
  });
  afterAll(async () => {
    await notifier.stop();
    await amazon.stop();
    setDefaultCACertificates([...trusted]);
    authority.remove();
  });

  /** As SNS posts: JSON that says it is text. */
  async function post(message: object): Promise<number> {
    const answer = await fetch(`${notifier.publicUrl}/v1/callbacks/email/ses`, {
      method: 'POST',
      headers: {
        'content-type': 'text/plain; charset=UTF-8',
        'x-amz-sns-message-type': 'Notification',
        'user-agent': 'Amazon Simple Notification Service Agent',
      },
      body: JSON.stringify(message),
    });
    return answer.status;
  }
  const notification = (event: object) => snsMessage(signer.key, { Message: JSON.stringify(event) });

  /** A mail about an update is accepted. @returns what SES says of it */
  async function sendMail(id: number) {
    const user = aUser(id, { notify_by_whatsapp: false, email: `Person-${id}@example.org` });
    notifier.users.set(id, user);
    await notifier.monitor.publish('status.updated', anUpdate(id, id));
    await notifier.saidOf(id, 'email', 'sent');
    const messageId = (await notifier.mails(user.email))[0]?.headers['message-id'] ?? '';
    const headers = [{ name: 'Message-ID', value: messageId }];
    return { to: user.email, mail: { messageId: 'of-ses', destination: [user.email], headers } };
  }
  const bounceOf = async (id: number) => {
    const { to, mail } = await sendMail(id);
    const bouncedRecipients = [
      { emailAddress: to, action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
    ];
    return {
      notificationType: 'Bounce',
      bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients },
      mail,
    };
  };
  const suppressions = () => notifier.db.collection('address_suppressions');

  it('begins with a subscription that is confirmed at Amazon', async () => {
    const message = snsMessage(signer.key, { Type: 'SubscriptionConfirmation', Token: 'the-token' });
    expect(await post(message)).toBe(204);
    expect(amazon.calls.at(-1)).toMatch(/^\/\?Action=ConfirmSubscription&.*&Token=the-token$/);
    expect(
      await post(
        snsMessage(signer.key, {
          Message: 'Successfully validated SNS topic for Amazon SES event publishing.',
        }),
      ),
    ).toBe(204);
  });

  it('is not confirmed for a stranger', async () => {
    const before = amazon.calls.length;
    expect(await post(snsMessage(impostor.key, { Type: 'SubscriptionConfirmation' }))).toBe(403);
    const otherTopic = { Type: 'SubscriptionConfirmation', TopicArn: topic.replace('casewatch', 'other') };
    expect(await post(snsMessage(signer.key, otherTopic))).toBe(403);
    expect(amazon.calls.length).toBe(before);
  });

  it('as a hard bounce fails the mail and ends further ones', async () => {
    expect(await post(notification(await bounceOf(801)))).toBe(204);
    expect((await notifier.saidOf(801, 'email', 'failed')).last_error).toMatch(/^bounce_general: 5\.1\.1 /);
    await notifier.monitor.publish('status.updated', anUpdate(802, 801));
    const skipped = await notifier.saidOf(802, 'email', 'skipped');
    expect(skipped.last_error).toMatch(/^suppressed_hard_bounce: /);
  });

  it('as a delivery says so, as a complaint ends further mails', async () => {
    const { to, mail } = await sendMail(811);
    expect(await post(notification({ eventType: 'Delivery', delivery: { recipients: [to] }, mail }))).toBe(
      204,
    );
    await notifier.saidOf(811, 'email', 'delivered');
    const complaint = { complainedRecipients: [{ emailAddress: to }], complaintFeedbackType: 'abuse' };
    expect(await post(notification({ notificationType: 'Complaint', complaint, mail }))).toBe(204);
    await notifier.monitor.publish('status.updated', anUpdate(812, 811));
    expect((await notifier.saidOf(812, 'email', 'skipped')).last_error).toMatch(/^suppressed_complaint: /);
  });

  it('counts once: a recorded message does not suppress again what was lifted', async () => {
    const message = notification(await bounceOf(821));
    const before = await suppressions().countDocuments();
    expect(await post(message)).toBe(204);
    expect(await suppressions().countDocuments()).toBe(before + 1);
    await suppressions().deleteMany({});
    expect(await post(message)).toBe(204);
    expect(await suppressions().countDocuments()).toBe(0);
  });

  it('is refused when it is forged, too old, or without a signature', async () => {
    const event = await bounceOf(831);
    const genuine = notification(event);
    const old = {
      Message: genuine.Message ?? '',
      Timestamp: new Date(Date.now() - 25 * 3_600_000).toISOString(),
    };
    const before = await suppressions().countDocuments();
    for (const message of [
      { ...genuine, Message: genuine.Message?.replace('831', '832') },
      snsMessage(signer.key, old),
      event,
    ])
      expect(await post(message)).toBe(403);
    expect(await suppressions().countDocuments()).toBe(before);
    expect(notifier.said(831, 'email').at(-1)?.status).toBe('sent');
  });

  it('is asked for again while Amazon does not answer', async () => {
    const event = await bounceOf(841);
    const file = certificateFile.replace('0123', 'abcd');
    const { host } = new URL(`https://sns.us-east-1.amazonaws.com`);
    amazon.faults.push({ status: 503 });
    const Message = JSON.stringify(event);
    expect(await post(snsMessage(signer.key, { Message, SigningCertURL: `https://${host}${file}` }))).toBe(
      503,
    );
    expect(await post(snsMessage(signer.key, { Message }))).toBe(204);
    await notifier.saidOf(841, 'email', 'failed');
  });
});

describe('reports of Amazon SES', () => {
  it('are refused without the setting of their topic', async () => {
    await using notifier = await startTestNotifier();
    const url = `${notifier.publicUrl}/v1/callbacks/email/ses`;
    const headers = { 'content-type': 'text/plain', 'x-amz-sns-message-type': 'Notification' };
    const body = JSON.stringify(snsMessage(signer.key));
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(403);
  });
});
