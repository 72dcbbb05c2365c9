import { domainToASCII } from 'node:url';
import PostalMime from 'postal-mime';

/** `to` are the envelope's recipients, comma-separated. */
export interface Mail {
  id: string;
  to: string;
  from: string;
  subject: string;
  text: string | null;
  html: string | null;
  headers: Record<string, string>;
  received_at: string;
  /** As it came over SMTP. */
  raw: Buffer;
}

export interface Envelope {
  id: string;
  from: string;
  recipients: readonly string[];
}

export async function readMail(raw: Buffer, { id, from, recipients }: Envelope): Promise<Mail> {
  const received_at = new Date().toISOString();
  const email = await PostalMime.parse(raw);
  return {
    id,
    to: recipients.join(', '),
    from: email.from?.address ?? from,
    subject: email.subject ?? '',
    text: email.text ?? null,
    html: email.html ?? null,
    headers: rawHeaders(raw),
    received_at,
    raw,
  };
}

/** Header fields by lower-case name, unfolded but not decoded; a repeated field has a line for each value. */
function rawHeaders(raw: Buffer): Record<string, string> {
  // The header ends at the first empty line; a line that begins with white space continues the one before (RFC 5322 §2.2.3).
  const [head = ''] = raw.toString('utf8').split(/\r?\n\r?\n/, 1);
  const headers: Record<string, string> = {};
  for (const line of head.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}\n${value}`;
  }
  return headers;
}

/** As it came over SMTP: smtp-server turns punycode (`xn--p1ai`) into Unicode. */
export function asSent(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at));
}

/** Compares without case; a query string may have turned a `+` into a space. */
export function isSentTo(mail: Mail, address: string): boolean {
  return mail.to.toLowerCase().split(', ').includes(address.trim().replaceAll(' ', '+').toLowerCase());
}
