import { createTransport } from 'nodemailer';
import { classifySmtp, type SmtpFailure } from '../domain/classify-smtp.ts';
import type { Outcome } from '../domain/outcome.ts';

/** One mail to one person. */
export type OutgoingMail = {
  to: string;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  /** The same on every try. */
  messageId: string;
  /** Further header fields, sent as they are. */
  headers: Record<string, string>;
};

export type Mailer = {
  /** Never throws: whatever happens is an outcome. */
  send(mail: OutgoingMail): Promise<Outcome>;
  close(): void;
};

type Options = { url: string; from: string; sendTimeoutMs: number; connections: number };

/** nodemailer's own defaults wait up to ten minutes; these end within the claim of the row that is sent. */
const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 5_000,
  socketCloseTimeout: 2_000,
};

/** A pool of SMTP connections. It never sends a mail again by itself: tries are ours, and counted. */
export function createMailer({ url, from, sendTimeoutMs, connections }: Options): Mailer {
  const transport = createTransport(
    {
      url,
      pool: true,
      ...timeouts,
      socketTimeout: sendTimeoutMs,
      maxConnections: connections,
      maxMessages: 100,
      idleTimeout: 60_000,
      maxRequeues: 0,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    async send(mail) {
      try {
        await transport.sendMail({
          // As an object, so that nothing in it is read as a second recipient.
          to: { name: '', address: mail.to },
          maxRecipients: 1,
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

/** Prepared fields are not folded: a folded List-Unsubscribe breaks signatures on the way. */
function preparedHeaders(headers: Record<string, string>) {
  return Object.entries(headers).map(([key, value]) => ({ key, value: { prepared: true, value } }));
}

/** By its fields alone: what a socket throws may be of another realm, and no `instanceof` of ours knows it. */
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
