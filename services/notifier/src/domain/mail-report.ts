import { shortError } from './short-error.ts';

/** What a mail provider reports, in the same words for every provider. */
export type MailReport = {
  address: string | null;
  /** Our Message-ID, if the provider passes it on. */
  messageId: string | null;
  event: 'delivered' | 'hard_bounce' | 'bounce' | 'complaint';
  error: string | null;
};

type Fields = Readonly<Record<string, unknown>>;

/** Events of SendGrid (Event Webhook): an array of flat objects. */
export function readSendgrid(body: unknown): MailReport[] {
  return (Array.isArray(body) ? body : []).flatMap((item: unknown): MailReport[] => {
    const fields = asFields(item);
    const event = sendgridEvent(fields);
    const error = event?.endsWith('bounce') ? bounceError(fields.status, fields.reason) : null;
    return event ? [{ address: text(fields.email), messageId: text(fields['smtp-id']), event, error }] : [];
  });
}

function sendgridEvent({ event, type, status }: Fields): MailReport['event'] | null {
  if (event === 'delivered') return 'delivered';
  if (event === 'spamreport') return 'complaint';
  if (event !== 'bounce') return null;
  // `blocked` is temporary or about our reputation.
  return type !== 'blocked' && /^5\.1\.|^$/.test(text(status) ?? '') ? 'hard_bounce' : 'bounce';
}

/** One event of Resend. Its `bounce.type` is Permanent, Transient or Undetermined. */
export function readResend(body: unknown): MailReport[] {
  const { type, data } = asFields(body);
  const { to, bounce, headers } = asFields(data);
  const address = Array.isArray(to) ? text(to[0]) : text(to);
  const messageId = headerOf(headers, 'message-id');
  if (type === 'email.delivered') return [{ address, messageId, event: 'delivered', error: null }];
  if (type === 'email.complained') return [{ address, messageId, event: 'complaint', error: null }];
  if (type !== 'email.bounced') return [];
  const details = asFields(bounce);
  const event = details.type === 'Permanent' ? 'hard_bounce' : 'bounce';
  return [{ address, messageId, event, error: bounceError(details.subType, details.message) }];
}

function headerOf(headers: unknown, name: string): string | null {
  const found = (Array.isArray(headers) ? headers : []).map(asFields).find((header) => {
    return text(header.name)?.toLowerCase() === name;
  });
  return text(found?.value);
}

function bounceError(code: unknown, reason: unknown): string {
  const name = (text(code) ?? 'unknown').replace(/[^\w.]+/g, '').slice(0, 40);
  return shortError(`bounce_${name.toLowerCase()}`, text(reason) ?? '');
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
