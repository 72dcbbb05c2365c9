import type { Outcome } from './outcome.ts';
import { shortError } from './short-error.ts';

/** What nodemailer says of a failed submission; see its errors.js. */
export type SmtpFailure = {
  code?: string | undefined;
  /** The socket's or resolver's own code, behind ESOCKET and EDNS. */
  originalCode?: string | undefined;
  /** The server's numeric reply, if there was one. */
  responseCode?: number | undefined;
  response?: string | undefined;
  /** The SMTP command that failed; `CONN` also stands for what came after DATA. */
  command?: string | undefined;
  message: string;
};

/** Faults of our own account or settings, whatever the message. */
const configurationCodes = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ECONFIG', 'ETLS', 'EREQUIRETLS']);

/** Faults of the message itself, found before anything was sent. */
const contentCodes = new Set(['EENVELOPE', 'EMAXRECIPIENTS', 'ESTREAM', 'EFILEACCESS', 'EURLACCESS']);

/** The connection never came about, so nothing was sent. */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EDNS',
]);

// A 5xx at these commands is about us, not about the recipient (RFC 5321 §4.1): the server does not take mail from us.
const aboutUs = /^(CONN|EHLO|HELO|STARTTLS|AUTH.*|MAIL FROM)$/;

/**
 * Maps a failed submission to its outcome, in the order that experiments with nodemailer 10.6 gave. nodemailer cannot
 * tell "lost before DATA" from "lost after DATA": without a reply only a short list is provably unsent.
 */
export function classifySmtp(failure: SmtpFailure): Outcome {
  const error = describe(failure);
  if (failure.responseCode !== undefined && failure.responseCode >= 400) return fromReply(failure, error);
  if (configurationCodes.has(failure.code ?? '')) return { kind: 'configuration', error };
  if (isUnsent(failure)) return { kind: 'transient', error, counts: true };
  if (contentCodes.has(failure.code ?? '')) return { kind: 'permanent', error };
  return { kind: 'ambiguous', error };
}

function fromReply({ responseCode = 0, response = '', command = '' }: SmtpFailure, error: string): Outcome {
  // 503 (bad sequence) says nothing of the recipient; the next connection may do better.
  if (responseCode < 500 || responseCode === 503) return { kind: 'transient', error, counts: true };
  if (aboutUs.test(command)) return { kind: 'configuration', error };
  // RFC 3463 X.2.2: the mailbox is full, which passes.
  if (/\b5\.2\.2\b/.test(response)) return { kind: 'transient', error, counts: true };
  return { kind: 'permanent', error };
}

function isUnsent({ code = '', originalCode = '', message }: SmtpFailure): boolean {
  if (unreachableCodes.has(code) || unreachableCodes.has(originalCode)) return true;
  return code === 'ETIMEDOUT' && /^(Connection timeout|Greeting never received)/i.test(message);
}

/** The server's own words where it answered; else ours, which tell nothing of our network. */
function describe(failure: SmtpFailure): string {
  const { code, originalCode, responseCode, response, message } = failure;
  if (responseCode !== undefined && responseCode >= 400) {
    // The reply repeats its number; the code already says it.
    return shortError(`smtp_${responseCode}`, (response ?? message).replace(/^\d{3}[ -]?/, ''));
  }
  const name = `smtp_${(originalCode ?? code ?? 'error').toLowerCase()}`;
  if (configurationCodes.has(code ?? '')) return shortError(name, 'the mail server does not let us in');
  if (isUnsent(failure)) return shortError(name, 'the mail server cannot be reached');
  if (contentCodes.has(code ?? '')) return shortError(name, 'the mail cannot be sent like this');
  const isTimeout = code === 'ETIMEDOUT' || code === 'EABORT';
  return shortError(
    name,
    isTimeout ? 'the mail server did not answer in time' : 'the connection to the mail server broke',
  );
}
