import type { FailedOutcome } from './outcome.ts';
import { type Failure, isHardBounce, mailFailure, statusIn } from './provider-answer.ts';

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

/** In the order that experiments with nodemailer 10.6 gave. */
export function classifySmtp(failure: SmtpFailure): FailedOutcome {
  const described = describe(failure);
  if (failure.responseCode !== undefined && failure.responseCode >= 400) return fromReply(failure, described);
  if (configurationCodes.has(failure.code ?? '') || isInsecure(failure))
    return { kind: 'configuration', ...described };
  if (isUnsent(failure)) return { kind: 'transient', ...described, counts: true };
  if (contentCodes.has(failure.code ?? '')) return { kind: 'permanent', ...described };
  if (failure.progress === 'ended') return { kind: 'ambiguous', ...described };
  return { kind: 'transient', ...described, counts: !isHeldBack(failure) };
}

function fromReply(
  { responseCode: code = 0, response = '', command = '' }: SmtpFailure,
  described: Failure,
): FailedOutcome {
  // 503 (bad sequence) does not refuse the recipient.
  if (code < 500 || code === 503) return { kind: 'transient', ...described, counts: true };
  if (senderCommand.test(command)) return { kind: 'configuration', ...described };
  const status = statusIn(response);
  // RFC 3463 X.2.2: the mailbox is full at the moment.
  if (status === '5.2.2') return { kind: 'transient', ...described, counts: true };
  if (isHardBounce({ code, status, text: response, isAboutRecipient: command === 'RCPT TO' }))
    return { kind: 'permanent', ...described, suppresses: { reason: 'hard_bounce', days: null } };
  return { kind: 'permanent', ...described, ...(status?.startsWith('5.7.') && { isPolicy: true }) };
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

/** What the server's reply means, or a sentence that reveals nothing about our network. */
function describe(failure: SmtpFailure): Failure {
  const { code, originalCode, responseCode, response, message, command } = failure;
  if (responseCode !== undefined && responseCode >= 400) {
    const text = (response ?? message).replace(/^\d{3}[ -]?/, '');
    const isAboutRecipient = command === 'RCPT TO';
    return mailFailure(`smtp_${responseCode}`, { code: responseCode, text, isAboutRecipient });
  }
  const name = `smtp_${(originalCode ?? code ?? 'error').toLowerCase()}`;
  const error = (text: string) => ({ error: `${name}: ${text}` });
  if (isInsecure(failure)) return error('no secure connection to the mail server');
  if (configurationCodes.has(code ?? '')) return error('the mail server refused the sign-in');
  if (isUnsent(failure)) return error('the mail server cannot be reached');
  if (contentCodes.has(code ?? '')) return error('the mail is malformed');
  if (isHeldBack(failure)) return { error: 'smtp_turn: the mails before this one took too long' };
  const isTimeout = code === 'ETIMEDOUT' || code === 'EABORT';
  return error(
    isTimeout ? 'the mail server did not answer in time' : 'the connection to the mail server broke',
  );
}
