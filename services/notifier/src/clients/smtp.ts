import { Transform } from 'node:stream';
import { createTransport, type MailMessage, type SendMailOptions } from 'nodemailer';
import { classifySmtp, type SmtpFailure } from '../domain/classify-smtp.ts';
import { senderOf } from '../domain/mail-sender.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Turn, Turns } from './turns.ts';

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
  /** @throws what `keep` throws, nothing else */
  send(mail: OutgoingMail, notes?: Notes): Promise<Outcome>;
  /** Connects and signs in, and sends nothing. @throws Error with the reason, without the server's own words */
  verify(): Promise<void>;
  close(): void;
};

export type Notes = {
  /** Called just before the end of the mail. If it throws, the mail does not end: the server cannot accept it. */
  beforeEnd?(): Promise<unknown>;
  /** Stores the outcome; until then the mail keeps its turn. */
  keep?(outcome: Outcome): Promise<unknown>;
};

type Options = {
  url: string;
  from: string;
  sendTimeoutMs: number;
  connections: number;
  dkim: DkimKey | null;
  turns: Turns;
  /** Its mails have their turn before those of other mailers. */
  isUrgent: boolean;
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

export function createMailer(options: Options): Mailer {
  const { url, from, sendTimeoutMs, connections, dkim, turns, isUrgent } = options;
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
  transport.use('stream', endInTurn);

  async function submit(mail: OutgoingMail, { turn, signal, end }: Submission): Promise<Outcome> {
    const message: Timed = {
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
      signal,
      end,
    };
    try {
      await transport.sendMail(message);
      return { kind: 'accepted', provider_message_id: null };
    } catch (error) {
      return classifySmtp({ ...failureOf(error), progress: turn.progress });
    } finally {
      turn.answered();
    }
  }

  return {
    async send(mail, { beforeEnd, keep } = {}) {
      const gaveUp = new AbortController();
      const signal = AbortSignal.any([AbortSignal.timeout(sendTimeoutMs), gaveUp.signal]);
      // A mail that ends has at least half of its time for the answer. Without an answer it would be sent twice.
      const turn = turns.next({ isUrgent, signal: AbortSignal.timeout(sendTimeoutMs / 2) });
      /** The mail stays without an end until the abort has closed its connection. */
      const giveUp = () => {
        gaveUp.abort();
        return new Promise<never>(() => {});
      };
      try {
        const end = async () => {
          await turn.come();
          await beforeEnd?.();
          turn.ends();
        };
        const outcome = await submit(mail, { turn, signal, end: () => end().catch(giveUp) });
        await keep?.(outcome);
        return outcome;
      } finally {
        turn.end();
      }
    },
    async verify() {
      try {
        await transport.verify();
      } catch (error) {
        const failure = failureOf(error);
        // Without a reply the text is Node's: a refused connection, a certificate.
        if (failure.response === undefined) throw error;
        throw new Error(classifySmtp({ ...failure, progress: 'content' }).error);
      }
    },
    close: () => transport.close(),
  };
}

type Submission = { turn: Turn; signal: AbortSignal; end(): Promise<void> };
type Timed = SendMailOptions & Pick<Submission, 'end'>;

/**
 * The content goes out immediately; its end, the final dot, waits for the turn. With DKIM the signature waits too.
 * nodemailer makes dozens of small parts; as one part they are one write to the socket.
 */
function endInTurn({ message, data }: MailMessage, done: () => void): void {
  const { end } = data as Timed;
  message?.transform(() => {
    const parts: Buffer[] = [];
    return new Transform({
      transform(part: Buffer, _encoding, callback) {
        parts.push(part);
        callback();
      },
      flush(callback) {
        this.push(Buffer.concat(parts));
        void end().then(() => callback());
      },
    });
  });
  done();
}

/** Prepared fields are not folded: folding of List-Unsubscribe breaks signatures. */
function preparedHeaders(headers: Record<string, string>) {
  return Object.entries(headers).map(([key, value]) => ({ key, value: { prepared: true, value } }));
}

function failureOf(error: unknown): Omit<SmtpFailure, 'progress'> {
  const fields = (error instanceof Error ? error : {}) as Partial<Record<keyof SmtpFailure, unknown>>;
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
