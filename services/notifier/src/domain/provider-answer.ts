import { shortError } from './short-error.ts';

/**
 * What failed. `error`: `code: short text` in words of ours, for logs, events and callers. `said`: the provider's own words,
 * which may name a person: they are stored in the row alone, and erased with it.
 */
export type Failure = { readonly error: string; readonly said?: string };

/** `text`: what a mail server answered, or what a provider reports of that. */
export type MailAnswer = {
  /** Of SMTP, such as 550; null if it is not known. */
  readonly code: number | null;
  readonly text: string;
  /** Enhanced status (RFC 3463), such as `5.1.1`; default: the first in the text. */
  readonly status?: string | null;
  /** Whether the recipient was refused, not the content or the connection. */
  readonly isAboutRecipient: boolean;
};

// Not a part of an IP address or of a longer number.
const enhancedStatus = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/;
// The reply code at the beginning, also as in `smtp; 550 …`.
const replyCode = /^\s*(?:smtp;\s*)?([245]\d\d)\b/i;

/** Characters that are read. */
const maxRead = 1_000;

export function statusIn(text: string): string | null {
  return enhancedStatus.exec(text.slice(0, maxRead))?.[0] ?? null;
}

export function codeIn(text: string): number | null {
  const code = replyCode.exec(text.slice(0, maxRead))?.[1];
  return code === undefined ? null : Number(code);
}

/** `name`: the code of the error, such as `smtp_550`. */
export function mailFailure(name: string, { code, text, status = statusIn(text) }: MailAnswer): Failure {
  const sentence = sentenceOf(code, status, text.slice(0, maxRead));
  const error = `${name}: ${status === null ? sentence : `${status} ${sentence}`}`;
  return { error, said: shortError(name, text) };
}

// RFC 3463, X.1.x: bad mailbox, system or syntax, moved without forwarding; null MX (RFC 7505). X.2.1: the mailbox is
// disabled. X.4.4: no way to the domain.
const deadStatus = /^5\.(1\.(1|2|3|6|10)|2\.1|4\.4)$/;
// Says nothing by itself: servers that know no better status send these.
const vagueStatus = /^5\.(0\.\d+|1\.0|5\.0)$/;

const mailbox = '(?:user|recipient|mailbox|address|addressee|account|domain)s?';
// `no such user here`, `unknown recipient`, `Unrouteable address`
const unknownMailbox = new RegExp(
  `\\b(?:unknown|invalid|no such|no|non-?existent|unrouteable|disabled|inactive)\\s+(?:local\\s+)?${mailbox}\\b`,
  'i',
);
// `the mailbox does not exist`, `User <a@b> is unknown`; at most some words are between.
const mailboxUnknown = new RegExp(
  `\\b${mailbox}\\b[^.;]{0,60}?\\b(?:unknown|unavailable|disabled|inactive|invalid|closed|no longer|not (?:be )?(?:found|known|valid|active)|(?:does ?n.t|does not|not) exist)`,
  'i',
);
const passing =
  /temporar|\bfull\b|quota|exceed|storage|too (?:large|big|many|fast|quickly)|\brate\b|later|gr[ea]ylist/i;
const aboutUs =
  /spam|unsolicited|block|black ?list|listed|\brbl\b|den(?:y|ied)|polic|reputation|dmarc|\bspf\b|dkim|virus|malware|content|attachment|relay|authenti|sender|prohibit|administrative|not (?:allowed|permitted|authori[sz]ed|accepted)|refused|verif|\btls\b|encrypt|\bip\b/i;

/** Whether the mailbox does not exist: another mail would be refused too. Never a full mailbox, a policy or a 4.x.x. */
export function isHardBounce({ code, text, status, isAboutRecipient }: MailAnswer): boolean {
  const said = text.slice(0, maxRead);
  const known = status ?? statusIn(said);
  const isDead = known !== null && deadStatus.test(known);
  if (passing.test(said)) return isDead && known !== '5.2.1';
  if (isDead) return true;
  if (known !== null && !vagueStatus.test(known)) return false;
  if (known === null && (code === null || code < 500)) return false;
  if (/sender/i.test(said)) return false;
  if (unknownMailbox.test(said) || mailboxUnknown.test(said)) return true;
  // RFC 5321 §4.2.3: 550 is `mailbox unavailable`; many servers say it of a policy too.
  return known === null && code === 550 && isAboutRecipient && !aboutUs.test(said);
}

/** By subject and detail (RFC 3463). */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/^1\.(1|6)$/, 'the mailbox does not exist'],
  [/^1\.(2|10)$/, 'the domain does not accept mail'],
  [/^1\.3$/, 'the address is not valid'],
  [/^1\.[78]$/, 'the sender is not accepted'],
  [/^2\.1$/, 'the mailbox is disabled'],
  [/^2\.2$/, 'the mailbox is full'],
  [/^(2\.3|3\.4)$/, 'the mail is too large'],
  [/^3\./, 'the mail system of the recipient cannot take the mail'],
  [/^4\.4$/, 'there is no route to the domain'],
  [/^4\./, 'the mail server of the recipient cannot be reached'],
  [/^6\./, 'the content is not accepted'],
  [/^7\.(8|9)$/, 'the mail server refused the sign-in'],
  [/^7\./, 'refused by a policy'],
];

function sentenceOf(code: number | null, status: string | null, text: string): string {
  if (/gr[ea]ylist/i.test(text)) return 'greylisted';
  const detail = status?.slice(2) ?? '';
  const found = sentences.find(([pattern]) => pattern.test(detail))?.[1];
  if (found !== undefined) return found;
  const isLater = status === null ? code !== null && code < 500 : status.startsWith('4');
  if (isLater) return 'not accepted at the moment';
  const isUnknown = unknownMailbox.test(text) || mailboxUnknown.test(text);
  return isUnknown ? 'the mailbox does not exist' : 'the mail was refused';
}
