import type { Outcome } from './outcome.ts';
import { shortError } from './short-error.ts';

/** Error fields of nodemailer; see its errors.js. */
export type SmtpFailure = {
  code?: string | undefined;
  originalCode?: string | undefined;
  responseCode?: number | undefined;
  response?: string | undefined;
  /** The failed SMTP command; `CONN` also for a failure after DATA. */
  command?: string | undefined;
  message: string;
  /** How much of the mail was sent: until it has ended, the server cannot have accepted it. */
  progress: 'content' | 'waiting' | 'ended';
};

const configurationCodes = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ECONFIG']);

const tlsCodes = new Set(['ETLS', 'EREQUIRETLS']);
// A handshake that fails: the certificate, its name or its authority (Node's tls), or no TLS at all.
const handshakeCode = /^(ERR_TLS_CERT|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

const contentCodes = new Set(['EENVELOPE', 'EMAXRECIPIENTS', 'ESTREAM', 'EFILEACCESS', 'EURLACCESS']);

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EDNS',
]);

// A 5xx reply to these commands refuses us, not the recipient (RFC 5321 §4.1).
const senderCommand = /^(CONN|EHLO|HELO|STARTTLS|AUTH.*|MAIL FROM)$/;

// RFC 3463, X.1.x: bad mailbox, system or syntax, moved without forwarding, null MX (RFC 7505).
const noMailbox = /\b5\.1\.(1|2|3|6|10)\b/;

/** In the order that experiments with nodemailer 10.6 gave. */
export function classifySmtp(failure: SmtpFailure): Outcome {
  const error = describe(failure);
  if (failure.responseCode !== undefined && failure.responseCode >= 400) return fromReply(failure, error);
  if (configurationCodes.has(failure.code ?? '') || isInsecure(failure))
    return { kind: 'configuration', error };
  if (isUnsent(failure)) return { kind: 'transient', error, counts: true };
  if (contentCodes.has(failure.code ?? '')) return { kind: 'permanent', error };
  if (failure.progress === 'ended') return { kind: 'ambiguous', error };
  return { kind: 'transient', error, counts: !isHeldBack(failure) };
}

function fromReply({ responseCode = 0, response = '', command = '' }: SmtpFailure, error: string): Outcome {
  // 503 (bad sequence) does not refuse the recipient.
  if (responseCode < 500 || responseCode === 503) return { kind: 'transient', error, counts: true };
  if (senderCommand.test(command)) return { kind: 'configuration', error };
  // RFC 3463 X.2.2: the mailbox is full at the moment.
  if (/\b5\.2\.2\b/.test(response)) return { kind: 'transient', error, counts: true };
  if (noMailbox.test(response))
    return { kind: 'permanent', error, suppresses: { reason: 'hard_bounce', days: null } };
  return { kind: 'permanent', error, ...(/\b5\.7\.\d/.test(response) && { isPolicy: true }) };
}

function isInsecure({ code = '', originalCode = '' }: SmtpFailure): boolean {
  return tlsCodes.has(code) || handshakeCode.test(originalCode);
}

function isUnsent({ code = '', originalCode = '', message }: SmtpFailure): boolean {
  if (unreachableCodes.has(code) || unreachableCodes.has(originalCode)) return true;
  return code === 'ETIMEDOUT' && /^(Connection timeout|Greeting never received)/i.test(message);
}

/** The mail waited for others until its time was over: no fault of its own. */
function isHeldBack({ progress, code }: SmtpFailure): boolean {
  return progress === 'waiting' && code === 'EABORT';
}

/** The server's reply, or a sentence of ours that reveals nothing about our network. */
function describe(failure: SmtpFailure): string {
  const { code, originalCode, responseCode, response, message } = failure;
  if (responseCode !== undefined && responseCode >= 400) {
    return shortError(`smtp_${responseCode}`, (response ?? message).replace(/^\d{3}[ -]?/, ''));
  }
  const name = `smtp_${(originalCode ?? code ?? 'error').toLowerCase()}`;
  if (isInsecure(failure)) return shortError(name, 'no secure connection to the mail server');
  if (configurationCodes.has(code ?? '')) return shortError(name, 'the mail server does not let us in');
  if (isUnsent(failure)) return shortError(name, 'the mail server cannot be reached');
  if (contentCodes.has(code ?? '')) return shortError(name, 'the mail cannot be sent like this');
  if (isHeldBack(failure)) return shortError('smtp_turn', 'the mails before this one took too long');
  const isTimeout = code === 'ETIMEDOUT' || code === 'EABORT';
  return shortError(
    name,
    isTimeout ? 'the mail server did not answer in time' : 'the connection to the mail server broke',
  );
}
