import { createTransport } from 'nodemailer';
import { classifySmtp, type SmtpFailure } from '../domain/classify-smtp.ts';
import { senderOf } from '../domain/mail-sender.ts';
import type { Outcome } from '../domain/outcome.ts';

export type OutgoingMail = {
  to: string;
  replyTo: string | null;
  /** Of the partner; null: the mail is ours alone. */
  fromName: string | null;
  subject: string;
  text: string;
  html: string;
  /** The same for every attempt. */
  messageId: string;
  headers: Record<string, string>;
};

export type Mailer = {
  /** Never throws. */
  send(mail: OutgoingMail): Promise<Outcome>;
  close(): void;
};

type Options = {
  url: string;
  from: string;
  sendTimeoutMs: number;
  connections: number;
  dkim: DkimKey | null;
};

export type DkimKey = { domainName: string; keySelector: string; privateKey: string };

/** RFC 8058 §4: both List- fields are signed. nodemailer's own list has only one of them. */
const signedFields = [
  'From',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'To',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'Auto-Submitted',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
].join(':');

/** Shorter than the submission, ms: a server that does not even greet has surely taken no mail. */
const greetMs = 10_000;
/** Shorter than the claim of the row, ms; nodemailer's defaults are up to ten minutes. */
const timeouts = { dnsTimeout: 5_000, socketCloseTimeout: 2_000 };

export function createMailer({ url, from, sendTimeoutMs, connections, dkim }: Options): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    ...timeouts,
    connectionTimeout: Math.min(greetMs, sendTimeoutMs / 2),
    greetingTimeout: Math.min(greetMs, sendTimeoutMs / 2),
    socketTimeout: sendTimeoutMs,
    maxConnections: connections,
    maxMessages: 100,
    idleTimeout: 60_000,
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && { dkim: { ...dkim, headerFieldNames: signedFields } }),
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail({
          // As an object, so that no part of it is parsed as a second recipient.
          to: { name: '', address: mail.to },
          maxRecipients: 1,
          from: senderOf(from, mail.fromName),
          ...(mail.replyTo === null ? {} : { replyTo: { name: '', address: mail.replyTo } }),
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: mail.messageId,
          headers: preparedHeaders({ ...mail.headers, 'Auto-Submitted': 'auto-generated' }),
          signal: AbortSignal.timeout(sendTimeoutMs),
        });
        return { kind: 'accepted', provider_message_id: null };
      } catch (error) {
        return classifySmtp(failureOf(error));
      }
    },
    close: () => transport.close(),
  };
}

/** Prepared fields are not folded: folding of List-Unsubscribe breaks signatures. */
function preparedHeaders(headers: Record<string, string>) {
  return Object.entries(headers).map(([key, value]) => ({ key, value: { prepared: true, value } }));
}

/** Without `instanceof`: a socket's error may come from another realm. */
function failureOf(error: unknown): SmtpFailure {
  const fields = (typeof error === 'object' && error !== null ? error : {}) as Partial<
    Record<keyof SmtpFailure, unknown>
  >;
  return {
    message: text(fields.message) ?? 'unknown',
    code: text(fields.code),
    originalCode: text(fields.originalCode),
    responseCode: typeof fields.responseCode === 'number' ? fields.responseCode : undefined,
    response: text(fields.response),
    command: text(fields.command),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
