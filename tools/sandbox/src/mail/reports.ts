import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { z } from 'zod';
import type { Mail } from './mail.ts';

/** Body of `POST /sandbox/reports`; README.md describes it. */
export const reportBody = z.strictObject({
  provider: z.enum(['sendgrid', 'resend']),
  event: z.enum(['delivered', 'bounce', 'soft_bounce', 'complaint']),
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
      const timestamp = String(Math.floor(Date.now() / 1_000));
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

function bySendgrid({ event, to }: ReportRequest, mail: Mail | undefined, { key, timestamp }: SendgridKey) {
  const kinds = {
    delivered: { event: 'delivered' },
    bounce: { event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 5.1.1 no such mailbox' },
    soft_bounce: { event: 'bounce', type: 'blocked', status: '4.2.2', reason: '452 4.2.2 mailbox full' },
    complaint: { event: 'spamreport' },
  };
  const about = { email: to, timestamp: Number(timestamp), 'smtp-id': mail?.headers['message-id'] };
  const body = JSON.stringify([{ ...about, ...kinds[event] }]);
  const signature = sign('sha256', Buffer.from(timestamp + body), key).toString('base64');
  const prefix = 'x-twilio-email-event-webhook';
  return { body, headers: { [`${prefix}-timestamp`]: timestamp, [`${prefix}-signature`]: signature } };
}

function byResend(
  { event, to }: ReportRequest,
  mail: Mail | undefined,
  { secret, timestamp }: { secret: Buffer; timestamp: string },
) {
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
  const body = JSON.stringify({ type, created_at: new Date().toISOString(), data });
  const id = `msg_${randomUUID()}`;
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    body,
    headers: { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${mac}` },
  };
}
