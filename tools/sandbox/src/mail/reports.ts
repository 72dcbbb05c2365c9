import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { z } from 'zod';
import type { Mail } from './mail.ts';

/** Body of `POST /sandbox/reports`; README.md describes it. */
export const reportBody = z.strictObject({
  provider: z.enum(['sendgrid', 'resend']),
  event: z.enum(['delivered', 'bounce', 'soft_bounce', 'complaint']).default('delivered'),
  /** Sent word for word instead of the event's; `{message_id}` stands for the Message-ID of the mail. */
  body: z.string().optional(),
  /** Age of the signature, s; negative: in the future. */
  age_s: z.number().default(0),
  /** Recipient of the mail that the report is about: the latest one to it. */
  to: z.string(),
  url: z.url(),
  /** Sign with another key. */
  forged: z.boolean().default(false),
});

export type ReportRequest = z.output<typeof reportBody>;

/** Keys that the reports are signed with; both providers show them on their pages. */
export interface ReportKeys {
  sendgridPublicKey: string;
  resendSecret: string;
  sign(request: ReportRequest, mail: Mail | undefined): { body: string; headers: Record<string, string> };
}

/** `resendSecret`: default a new one. */
export function createReportKeys(resendSecret?: string): ReportKeys {
  const genuine = newKeys();
  if (resendSecret) genuine.secret = Buffer.from(resendSecret.slice('whsec_'.length), 'base64');
  const wrong = newKeys();
  return {
    sendgridPublicKey: genuine.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    resendSecret: `whsec_${genuine.secret.toString('base64')}`,
    sign(request, mail) {
      const keys = request.forged ? wrong : genuine;
      const timestamp = String(Math.floor(Date.now() / 1_000) - request.age_s);
      return request.provider === 'sendgrid'
        ? bySendgrid(request, mail, { key: keys.privateKey, timestamp })
        : byResend(request, mail, { secret: keys.secret, timestamp });
    },
  };
}

function newKeys() {
  const secret = Buffer.from(randomUUID().replaceAll('-', ''));
  return { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }), secret };
}

type SendgridKey = { key: ReturnType<typeof newKeys>['privateKey']; timestamp: string };

/** What was asked for word for word, else the event. */
function bodyOf({ body }: ReportRequest, mail: Mail | undefined, event: unknown): string {
  const messageId = JSON.stringify(mail?.headers['message-id'] ?? '').slice(1, -1);
  return body === undefined ? JSON.stringify(event) : body.replaceAll('{message_id}', messageId);
}

function bySendgrid(request: ReportRequest, mail: Mail | undefined, { key, timestamp }: SendgridKey) {
  const { event, to } = request;
  const kinds = {
    delivered: { event: 'delivered' },
    bounce: { event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 5.1.1 no such mailbox' },
    soft_bounce: { event: 'bounce', type: 'blocked', status: '4.2.2', reason: '452 4.2.2 mailbox full' },
    complaint: { event: 'spamreport' },
  };
  const about = { email: to, timestamp: Number(timestamp), 'smtp-id': mail?.headers['message-id'] };
  const body = bodyOf(request, mail, [{ ...about, sg_event_id: randomUUID(), ...kinds[event] }]);
  const signature = sign('sha256', Buffer.from(timestamp + body), key).toString('base64');
  const prefix = 'x-twilio-email-event-webhook';
  return { body, headers: { [`${prefix}-timestamp`]: timestamp, [`${prefix}-signature`]: signature } };
}

function byResend(
  request: ReportRequest,
  mail: Mail | undefined,
  { secret, timestamp }: { secret: Buffer; timestamp: string },
) {
  const { event, to } = request;
  const types = {
    delivered: { type: 'email.delivered' },
    bounce: {
      type: 'email.bounced',
      bounce: { type: 'Permanent', subType: 'General', message: 'no mailbox' },
    },
    soft_bounce: {
      type: 'email.bounced',
      bounce: { type: 'Transient', subType: 'MailboxFull', message: 'full' },
    },
    complaint: { type: 'email.complained' },
  };
  const { type, ...details } = types[event] as { type: string };
  const headers = [{ name: 'Message-ID', value: mail?.headers['message-id'] }];
  const data = { email_id: randomUUID(), to: [to], headers, ...details };
  const body = bodyOf(request, mail, { type, created_at: new Date().toISOString(), data });
  const id = `msg_${randomUUID()}`;
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    body,
    headers: { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${mac}` },
  };
}
