import { createHash } from 'node:crypto';
import {
  codeIn,
  type Failure,
  isHardBounce,
  type MailAnswer,
  mailFailure,
  statusIn,
} from './provider-answer.ts';
import { shortError } from './short-error.ts';
import type { AddressReason } from './suppression.ts';

/** What a mail provider reports, in the same words for every provider. */
export type MailReport = {
  /** The provider's id of the event: a repeated report has the same. */
  id: string;
  address: string | null;
  /** Our Message-ID, if the provider passes it on. */
  messageId: string | null;
  /** New state of the mail; null: it stays. */
  status: 'delivered' | 'failed' | null;
  /** Why the address gets no more status mails. */
  suppresses: AddressReason | null;
  /** The person wants mails again. */
  lifts: boolean;
  failure: Failure | null;
};

type Fields = Readonly<Record<string, unknown>>;
type Meaning = Pick<MailReport, 'status'> & Partial<Pick<MailReport, 'suppresses' | 'lifts' | 'failure'>>;

/** `reports`: of the events that say something about a mail or an address. `unreadable`: number of the others that are no events. */
export type ReadReports = { reports: MailReport[]; unreadable: number };

/** Events of SendGrid (Event Webhook): flat objects. `items`: the elements of its array. */
export function readSendgrid(items: readonly unknown[]): ReadReports {
  return readAll(items, (fields) => {
    if (text(fields.event) === null) return undefined;
    const meaning = sendgridMeaning(fields);
    if (meaning === null) return null;
    const id = text(fields.sg_event_id) ?? idOf(fields);
    return reportOf(id, { address: text(fields.email), messageId: text(fields['smtp-id']) }, meaning);
  });
}

/** One event of Resend. `id`: of the call, in a header. */
export function readResend(items: readonly unknown[], id: string | undefined): ReadReports {
  return readAll(items, (fields) => {
    const type = text(fields.type);
    if (type === null || !isFields(fields.data)) return undefined;
    const { to, headers } = fields.data;
    const meaning = resendMeaning(type, fields.data);
    if (meaning === null) return null;
    const address = Array.isArray(to) ? text(to[0]) : text(to);
    return reportOf(id ?? idOf(fields), { address, messageId: headerOf(headers, 'message-id') }, meaning);
  });
}

/**
 * One event of Amazon SES, of its notifications and of its event publishing. `id`: of the message of SNS. `Message-ID` is ours only if
 * SES includes the original headers.
 */
export function readSes(item: unknown, id: string): ReadReports {
  const type = isFields(item) ? (text(item.notificationType) ?? text(item.eventType)) : null;
  if (!isFields(item) || type === null) return { reports: [], unreadable: 1 };
  const mail = asFields(item.mail);
  const messageId = headerOf(mail.headers, 'message-id') ?? text(asFields(mail.commonHeaders).messageId);
  const reports = sesMeanings(type, item, mail).map(([address, meaning], i) =>
    reportOf(`${id}:${i}`, { address, messageId }, meaning),
  );
  return { reports, unreadable: 0 };
}

/** `read`: undefined for what is no event, null for an event that says nothing about delivery. */
function readAll(
  items: readonly unknown[],
  read: (fields: Fields) => MailReport | null | undefined,
): ReadReports {
  const all = items.map((item) => (isFields(item) ? read(item) : undefined));
  const reports = all.filter((report) => report !== null && report !== undefined);
  return { reports, unreadable: all.filter((report) => report === undefined).length };
}

function reportOf(id: string, mail: Pick<MailReport, 'address' | 'messageId'>, meaning: Meaning): MailReport {
  return { id, ...mail, suppresses: null, lifts: false, failure: null, ...meaning };
}

/** Null: the mail is on its way (`processed`, `deferred`), or nothing follows (`open`, `click`). */
function sendgridMeaning(fields: Fields): Meaning | null {
  switch (fields.event) {
    case 'delivered':
      return { status: 'delivered' };
    case 'spamreport':
      return { status: null, suppresses: 'complaint' };
    case 'unsubscribe':
    case 'group_unsubscribe':
      return { status: null, suppresses: 'opt_out' };
    case 'group_resubscribe':
      return { status: null, lifts: true };
    case 'dropped':
      return sendgridDrop(text(fields.reason) ?? '');
    case 'bounce':
      return sendgridBounce(fields);
    default:
      return null;
  }
}

/** Why SendGrid did not even try: it keeps lists of its own (Event Webhook reference, Dropped). */
const drops: readonly (readonly [RegExp, string, AddressReason | null])[] = [
  [/^bounced address/i, 'the address has bounced before', 'hard_bounce'],
  [/^invalid$/i, 'the address is not valid', 'hard_bounce'],
  [/^spam reporting address/i, 'the person reported a mail as spam', 'complaint'],
  [/^unsubscribed address/i, 'the person unsubscribed at the mail provider', 'opt_out'],
];

function sendgridDrop(reason: string): Meaning {
  const [, sentence, suppresses] = drops.find(([pattern]) => pattern.test(reason.trim())) ?? [];
  const failure = {
    error: `dropped: ${sentence ?? 'the mail provider did not send the mail'}`,
    said: shortError('dropped', reason),
  };
  return { status: 'failed', suppresses: suppresses ?? null, failure };
}

/** `blocked` is temporary or about our reputation, as are the other classes. */
const classesOfAddress = new Set(['Invalid Address', 'Mailbox Unavailable', 'Unclassified']);

function sendgridBounce({ type, status: field, reason, bounce_classification: kind }: Fields): Meaning {
  const said = text(reason) ?? '';
  const statuses = [statusIn(text(field) ?? ''), statusIn(said)].filter((found) => found !== null);
  const status = statuses.find((found) => !found.startsWith('5.0.')) ?? statuses[0] ?? null;
  // Without any code the word of SendGrid counts: a `bounce` is permanent.
  const code = codeIn(said) ?? (status === null ? 550 : null);
  const answer: MailAnswer = { code, text: said, status, isAboutRecipient: true };
  const isOfAddress = text(kind) === null || classesOfAddress.has(text(kind) ?? '');
  const isHard = kind === 'Invalid Address' || (isOfAddress && isHardBounce(answer));
  return bounced(status ?? 'unknown', answer, type !== 'blocked' && isHard);
}

/** Its `bounce.type` is Permanent, Transient or Undetermined, as that of Amazon SES. */
function resendMeaning(type: string, data: Fields): Meaning | null {
  switch (type) {
    case 'email.delivered':
      return { status: 'delivered' };
    case 'email.complained':
      return { status: null, suppresses: 'complaint' };
    case 'email.bounced':
      return resendBounce(asFields(data.bounce));
    case 'email.suppressed': {
      const said = text(asFields(data.suppressed).message) ?? '';
      const error = 'suppressed: the mail provider no longer sends to this address';
      const suppresses = /complain|spam/i.test(said) ? 'complaint' : 'hard_bounce';
      return { status: 'failed', suppresses, failure: { error, said: shortError('suppressed', said) } };
    }
    case 'email.failed': {
      const said = text(asFields(data.failed).reason) ?? '';
      const error = 'not_sent: the mail provider could not send the mail';
      return { status: 'failed', failure: { error, said: shortError('not_sent', said) } };
    }
    default:
      return null;
  }
}

function resendBounce({ type, subType, message, diagnosticCode }: Fields): Meaning {
  const diagnosis = Array.isArray(diagnosticCode) ? text(diagnosticCode[0]) : text(diagnosticCode);
  const said = diagnosis ?? text(message) ?? '';
  const answer: MailAnswer = {
    code: codeIn(said),
    text: said,
    status: statusIn(said),
    isAboutRecipient: true,
  };
  const hasNoCode = answer.code === null && answer.status === null;
  const isHard = (type === 'Permanent' && hasNoCode) || (type !== 'Transient' && isHardBounce(answer));
  const subtype = text(subType) ?? '';
  return bounced(resendSubtypes.has(subtype) ? subtype : 'unknown', answer, isHard);
}

/** Those of Amazon SES, which Resend passes on. The code of an error goes to logs and events, so it is no text of theirs. */
const resendSubtypes = new Set([
  'General',
  'NoEmail',
  'Suppressed',
  'OnAccountSuppressionList',
  'MailboxFull',
  'MessageTooLarge',
  'ContentRejected',
  'AttachmentRejected',
  'Undetermined',
]);

function bounced(code: string, answer: MailAnswer, isHard: boolean): Meaning {
  const name = `bounce_${code.toLowerCase()}`;
  return {
    status: 'failed',
    suppresses: isHard ? 'hard_bounce' : null,
    failure: mailFailure(name, answer),
  };
}

type OfAddress = [address: string | null, meaning: Meaning];

/** For each recipient that the event is about. */
function sesMeanings(type: string, event: Fields, mail: Fields): OfAddress[] {
  switch (type) {
    case 'Delivery':
      return listOf(asFields(event.delivery).recipients).map((to) => [text(to), { status: 'delivered' }]);
    case 'Complaint': {
      const { complaintFeedbackType: kind, complainedRecipients } = asFields(event.complaint);
      // The person said that a mail is not spam after all.
      if (kind === 'not-spam') return [];
      const meaning: Meaning = { status: null, suppresses: 'complaint' };
      return listOf(complainedRecipients).map((to) => [text(asFields(to).emailAddress), meaning]);
    }
    case 'Bounce': {
      const { bounceType, bounceSubType: subType, bouncedRecipients } = asFields(event.bounce);
      return listOf(bouncedRecipients).map((recipient) => {
        const { emailAddress, diagnosticCode, status } = asFields(recipient);
        const message = text(diagnosticCode) ?? text(status);
        return [text(emailAddress), resendBounce({ type: bounceType, subType, message })];
      });
    }
    case 'Reject': {
      const said = text(asFields(event.reject).reason) ?? '';
      const error = 'not_sent: the mail provider could not send the mail';
      const meaning: Meaning = { status: 'failed', failure: { error, said: shortError('not_sent', said) } };
      return listOf(mail.destination).map((to) => [text(to), meaning]);
    }
    default:
      return [];
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function headerOf(headers: unknown, name: string): string | null {
  const found = (Array.isArray(headers) ? headers : []).map(asFields).find((header) => {
    return text(header.name)?.toLowerCase() === name;
  });
  return text(found?.value);
}

/** For an event without an id: the same content is the same event. */
function idOf(fields: Fields): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
